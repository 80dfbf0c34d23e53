import { newId } from '../../platform/ids.ts'
import { type Caller, requireAdmin } from '../caller.ts'
import type { Identity } from '../context.ts'
import { parseBody } from '../parse.ts'
import { newUser } from './user-schema.ts'
import { columnsOf, translateConstraintErrors } from './write-user.ts'

/** Returns the new user's id. */
export async function createUser(identity: Identity, caller: Caller | null, body: unknown): Promise<string> {
  const admin = requireAdmin(caller)
  const { id = newId(), ...given } = parseBody(newUser, body)
  if (given.password !== undefined) identity.hashLimits.otherPassword(admin.id)
  const columns = await columnsOf(identity, given)
  await translateConstraintErrors(() =>
    identity.db
      .insertInto('users')
      .values({ ...columns, id })
      .execute(),
  )
  return id
}
