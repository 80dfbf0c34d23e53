import { isUniqueViolation } from '../../database/database.ts'
import { hashToken } from '../auth/opaque-token.ts'
import type { Identity } from '../context.ts'
import { invalidForeignKey, notUnique } from '../errors.ts'
import type { UserChanges } from './user-schema.ts'

/** The columns to write; secrets are hashed here. */
export async function columnsOf({ passwords }: Identity, { password, token, ...plain }: UserChanges) {
  const given = Object.fromEntries(
    Object.entries(plain).filter(([, value]) => value !== undefined),
  ) as typeof plain
  return {
    ...given,
    ...(password === undefined ? {} : { password_hash: await passwords.hash(password) }),
    ...(token === undefined ? {} : { token_hash: token === null ? null : hashToken(token) }),
  }
}

const FIELD_OF_CONSTRAINT: Record<string, string> = {
  users_email: 'email',
  users_token: 'token',
  users_pkey: 'id',
}

/** Turns violations of table constraints into errors of the API. */
export async function translateConstraintErrors<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const constraint = (error as { constraint?: string }).constraint ?? ''
    if (isUniqueViolation(error)) throw notUnique(FIELD_OF_CONSTRAINT[constraint] ?? 'id')
    if (constraint === 'users_role') throw invalidForeignKey('role')
    throw error
  }
}
