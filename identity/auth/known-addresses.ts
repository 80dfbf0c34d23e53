import { sql } from 'kysely'
import type { Identity } from '../context.ts'
import type { IdentityDb, IdentityTx } from '../tables.ts'
import type { FailureCount } from './attempts.ts'

/** Addresses that are kept for each user: those with the latest sign-ins. */
const MAX_ADDRESSES = 20
const MAX_AGE = sql<string>`interval '90 days'`

export const isRecent = sql<boolean>`known_addresses.last_login_at > now() - ${MAX_AGE}`

/** For signed-in users; a login reads this together with the account. */
export async function failureCountOf(
  { db, addressDigest }: Identity,
  userId: string,
  clientAddress: string,
): Promise<FailureCount> {
  const address = addressDigest(clientAddress)
  const row = await db
    .selectFrom('known_addresses')
    .select('address')
    .where('user_id', '=', userId)
    .where('address', '=', address)
    .where(isRecent)
    .executeTakeFirst()
  return { userId, address, known: row !== undefined }
}

/** Stores the address of a sign-in and resets its counter. Returns false if sign-in from there is locked. */
export async function rememberAddress(tx: IdentityTx, { userId, address, known }: FailureCount) {
  const { rows } = await sql`
    insert into known_addresses (user_id, address) values (${userId}, ${address})
    on conflict (user_id, address) do update set failed_logins = 0, locked_until = null, last_login_at = now()
    where known_addresses.locked_until is null or known_addresses.locked_until <= now()
    returning 1`.execute(tx)
  if (!known) await deleteSurplus(tx, userId)
  return rows.length > 0
}

async function deleteSurplus(tx: IdentityTx, userId: string): Promise<void> {
  await sql`
    delete from known_addresses where user_id = ${userId} and address in (
      select address from known_addresses where user_id = ${userId}
      order by last_login_at desc, address offset ${MAX_ADDRESSES})`.execute(tx)
}

export async function deleteOldAddresses(db: IdentityDb): Promise<void> {
  await sql`delete from known_addresses where not ${isRecent}`.execute(db)
}
