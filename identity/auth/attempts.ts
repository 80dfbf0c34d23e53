import { sql } from 'kysely'
import type { IdentityDb } from '../tables.ts'

const MAX_FAILURES = 25

/**
 * After 25 failures in a row the account is locked for 15 minutes, even for the right password. The lock is temporary, unlike
 * in Directus, which suspends the user: otherwise anybody who knows the only administrator's e-mail address could lock them
 * out for good.
 */
const LOCK = sql<string>`now() + interval '15 minutes'`

/**
 * Where a failure is counted: an address from which the user has signed in before has its own count, and all other
 * addresses share one. So strangers cannot lock the user out at home, and many addresses do not give them more guesses.
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
 * Counts a failure, in SQL since guesses come in parallel. Failures during a lock are not counted, so that it ends in time.
 * The commit does not wait for the disk: with an unknown user there is nothing to write, and the time must not tell.
 * Returns false when sign-in was locked already (or the user does not exist).
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
