import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { isUniqueViolation } from '../database/database.ts'
import { newId } from '../platform/ids.ts'
import type { Passwords } from './auth/passwords.ts'
import type { Settings } from './config.ts'
import { ADMINISTRATOR } from './roles.ts'
import type { IdentityDb, IdentityTx } from './tables.ts'

/** Shows the first administrator. The password is null if it came from the settings. Resolves after it was shown. */
export type ShowAdmin = (email: string, password: string | null) => Promise<void>

/**
 * Creates the first administrator if there is none. Commits only after the password was shown: a crash before that rolls back,
 * and the next start creates and shows another. In the other order a crash could lose the only password.
 */
export async function ensureAdmin(db: IdentityDb, settings: Settings, passwords: Passwords, show: ShowAdmin) {
  // No retries: the password that was shown must be the one that is committed.
  await db.transaction().execute(async (tx) => {
    // Two stores that start on one database at the same time would both find no administrator.
    await sql`select pg_advisory_xact_lock(hashtext('parley-identity-bootstrap'))`.execute(tx)
    if (await hasAdmin(tx)) return
    const password = settings.ADMIN_PASSWORD ?? newPassword()
    await insertAdmin(tx, settings.ADMIN_EMAIL, await passwords.hash(password))
    await show(settings.ADMIN_EMAIL, settings.ADMIN_PASSWORD === undefined ? password : null)
  })
}

/** 120 random bits, short enough to copy by hand. */
const newPassword = (): string => randomBytes(15).toString('base64url')

async function hasAdmin(tx: IdentityTx): Promise<boolean> {
  const admin = await tx.selectFrom('users').select('id').where('role', '=', ADMINISTRATOR).executeTakeFirst()
  return admin !== undefined
}

async function insertAdmin(tx: IdentityTx, email: string, passwordHash: string): Promise<void> {
  try {
    await tx
      .insertInto('users')
      .values({
        id: newId(),
        email,
        first_name: 'Admin',
        last_name: 'User',
        role: ADMINISTRATOR,
        password_hash: passwordHash,
      })
      .execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Error('ADMIN_EMAIL belongs to a user who is not an administrator. Set it to another address.', {
      cause: error,
    })
  }
}
