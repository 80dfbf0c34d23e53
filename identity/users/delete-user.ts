import { inTransaction } from '../../database/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { type Caller, requireAdmin } from '../caller.ts'
import type { Identity } from '../context.ts'
import { forbidden } from '../errors.ts'
import type { IdentityTx } from '../tables.ts'
import { keepOneAdmin } from './last-admin.ts'

export async function deleteUser({ db }: Identity, caller: Caller | null, id: string): Promise<void> {
  requireAdmin(caller)
  if (!isUuid(id)) throw forbidden()
  await inTransaction(db, (tx) => keepOneAdmin(tx, () => remove(tx, id)))
}

/** Sessions are deleted by cascade. */
async function remove(tx: IdentityTx, id: string): Promise<void> {
  const removed = await tx.deleteFrom('users').where('id', '=', id).returning('id').executeTakeFirst()
  if (!removed) throw forbidden()
}
