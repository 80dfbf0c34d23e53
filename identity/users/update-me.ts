import { type Caller, requirePerson } from '../caller.ts'
import type { Identity } from '../context.ts'
import { forbidden } from '../errors.ts'
import { parseBody } from '../parse.ts'
import { changeUser } from './update-user.ts'
import { ADMIN_ONLY, ownChanges, userChanges } from './user-schema.ts'

export async function updateMe(identity: Identity, caller: Caller | null, body: unknown): Promise<void> {
  const me = requirePerson(caller)
  if (!me.admin_access && ADMIN_ONLY.some((field) => Object.hasOwn(Object(body), field))) throw forbidden()
  const changes = parseBody(me.admin_access ? userChanges : ownChanges, body)
  if (changes.password !== undefined) identity.hashLimits.ownPassword(me.id)
  await changeUser(identity, me.id, changes)
}
