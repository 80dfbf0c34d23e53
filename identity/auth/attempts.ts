import { sql } from 'kysely'
import type { IdentityDb } from '../tables.ts'

const MOST_FAILURES = 25

/**
 * After 25 failures in a row nobody gets in for 15 minutes, whatever they know. Temporary, unlike in Directus, which
 * suspends the user: otherwise anybody who knows the only administrator's e-mail address could lock them out for ever.
 */
const LOCK = sql<string>`now() + interval '15 minutes'`

export const notLocked = sql<boolean>`(locked_until is null or locked_until <= now())`

/**
 * Counts a failure, in SQL since guesses come in parallel. Failures during a lock are not counted, so that it ends in time.
 * The commit does not wait for the disk: with an unknown user there is nothing to write, and the time must not tell.
 * Returns false when the user was locked already (or does not exist).
 */
export async function recordFailure(db: IdentityDb, userId: string): Promise<boolean> {
  const { rows } = await sql`
    with commit as (select set_config('synchronous_commit', 'off', true))
    update users set
      failed_logins = case when locked_until is null then failed_logins + 1 else 1 end,
      locked_until = case when locked_until is null and failed_logins + 1 >= ${MOST_FAILURES} then ${LOCK} end
    from commit where id = ${userId} and ${notLocked}
    returning id`.execute(db)
  return rows.length > 0
}

export async function isLocked(db: IdentityDb, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(notLocked)
    .executeTakeFirst()
  return row === undefined
}
