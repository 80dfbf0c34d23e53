import { sql } from 'kysely'
import type { IdentityDb } from '../tables.ts'

const MAX_FAILURES = 25

/**
 * After 25 failures in a row the account is locked for 15 minutes, even for the right password. The lock is temporary, unlike
 * in Directus, which suspends the user: otherwise an attacker who knows the e-mail address of the only administrator could
 * lock them out permanently.
 */
const LOCK = sql<string>`now() + interval '15 minutes'`

/**
 * The counter of a failure: each address from which the user has signed in before has one, and all other addresses share
 * one. So attackers cannot lock the user out at home, and do not get more guesses from many addresses.
 */
export interface FailureCount {
  userId: string
  address: Buffer
  known: boolean
}

export const notLocked = sql<boolean>`(locked_until is null or locked_until <= now())`

const tableOf = ({ known }: FailureCount) => sql.table(known ? 'known_addresses' : 'users')
const isRowOf = ({ userId, address, known }: FailureCount) =>
  known ? sql<boolean>`user_id = ${userId} and address = ${address}` : sql<boolean>`id = ${userId}`

/**
 * Counts a failure, in SQL because guesses can come in parallel. Failures during a lock are not counted, so that it ends on
 * time. The commit does not wait for the disk: an unknown user causes no write, and the response time must not reveal that.
 * Returns false if sign-in was already locked, or the user does not exist.
 */
export async function recordFailure(db: IdentityDb, count: FailureCount): Promise<boolean> {
  const { rows } = await sql`
    with commit as (select set_config('synchronous_commit', 'off', true))
    update ${tableOf(count)} set
      failed_logins = case when locked_until is null then failed_logins + 1 else 1 end,
      locked_until = case when locked_until is null and failed_logins + 1 >= ${MAX_FAILURES} then ${LOCK} end
    from commit where ${isRowOf(count)} and ${notLocked}
    returning 1`.execute(db)
  return rows.length > 0
}

export async function isLocked(db: IdentityDb, count: FailureCount): Promise<boolean> {
  const { rows } =
    await sql`select 1 from ${tableOf(count)} where ${isRowOf(count)} and ${notLocked}`.execute(db)
  return rows.length === 0
}
