import { isUuid } from '../../platform/ids.ts'
import { type Caller, requireReader, requireSignedIn } from '../caller.ts'
import type { Identity } from '../context.ts'
import { forbidden } from '../errors.ts'
import type { Query } from '../parse.ts'
import { fieldsOf, selectUsers, viewUser } from './user-view.ts'

export async function readUser(identity: Identity, caller: Caller | null, id: string, query: Query) {
  const reader = requireReader(caller)
  return viewOf(identity, id, query, reader)
}

export async function readMe(identity: Identity, caller: Caller | null, query: Query) {
  const me = requireSignedIn(caller)
  return viewOf(identity, me.id, query, me)
}

async function viewOf({ db }: Identity, id: string, query: Query, caller: Caller) {
  const user = isUuid(id) ? await selectUsers(db).where('id', '=', id).executeTakeFirst() : undefined
  if (!user) throw forbidden()
  return viewUser(user, fieldsOf(query, caller))
}
