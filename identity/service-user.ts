import { isUniqueViolation } from '../database/database.ts'
import { hashToken } from './auth/opaque-token.ts'
import { SERVICE } from './roles.ts'
import type { IdentityDb } from './tables.ts'

const SERVICE_USER = '00000000-0000-7000-8000-00000000ad03'

/** Sets the token of the backend's user from the settings. Without a setting, the old token stops working. */
export async function updateServiceUser(db: IdentityDb, token: string | undefined): Promise<void> {
  const columns = { role: SERVICE, token_hash: token === undefined ? null : hashToken(token) }
  const write = db
    .insertInto('users')
    .values({ id: SERVICE_USER, first_name: 'Parley', last_name: 'Backend', ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
  try {
    await write.execute()
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Error(
      'IDENTITY_TOKEN is the static token of another user. Set it to a token that is not in use.',
      {
        cause: error,
      },
    )
  }
}
