import { inTransaction } from '../../database/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { endSessionsOf } from '../auth/sessions.ts'
import { type Caller, requireAdmin } from '../caller.ts'
import type { Identity } from '../context.ts'
import { forbidden } from '../errors.ts'
import { parseBody } from '../parse.ts'
import type { IdentityTx } from '../tables.ts'
import { keepOneAdmin } from './last-admin.ts'
import { type UserChanges, userChanges } from './user-schema.ts'
import { columnsOf, translateConstraintErrors } from './write-user.ts'

export async function updateUser(identity: Identity, caller: Caller | null, id: string, body: unknown) {
  const admin = requireAdmin(caller)
  if (!isUuid(id)) throw forbidden()
  const changes = parseBody(userChanges, body)
  if (changes.password !== undefined) identity.hashLimits.otherPassword(admin.id)
  await changeUser(identity, id, changes)
}

export async function changeUser(identity: Identity, id: string, changes: UserChanges): Promise<void> {
  const columns = await columnsOf(identity, changes)
  if (Object.keys(columns).length === 0) return requireExists(identity, id)
  await translateConstraintErrors(() =>
    inTransaction(identity.db, (tx) =>
      couldRemoveAdmin(changes) ? keepOneAdmin(tx, () => write(tx)) : write(tx),
    ),
  )

  async function write(tx: IdentityTx): Promise<void> {
    const before = await tx
      .selectFrom('users')
      .select(['role', 'status'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw forbidden()
    await tx.updateTable('users').set(columns).where('id', '=', id).execute()
    if (endsSessions(before, changes)) await endSessionsOf(tx, id)
  }
}

async function requireExists({ db }: Identity, id: string): Promise<void> {
  const found = await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw forbidden()
}

const couldRemoveAdmin = ({ role, status }: UserChanges): boolean =>
  role !== undefined || status === 'suspended'

/** A new role ends sessions too: their tokens would contain the old role for a day. */
const endsSessions = (before: { role: string | null }, { password, status, role }: UserChanges): boolean =>
  password !== undefined || status === 'suspended' || (role !== undefined && role !== before.role)
