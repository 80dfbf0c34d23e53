import { invalidPayload } from '../errors.ts'
import { ADMINISTRATOR } from '../roles.ts'
import type { IdentityTx } from '../tables.ts'

const activeAdmins = (tx: IdentityTx) =>
  tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', ADMINISTRATOR)
    .where('status', '=', 'active')
    .orderBy('id')

/**
 * Runs a change that may take an administrator away, and refuses it when none would be left. All administrators are
 * locked first: two who demote each other at the same moment would otherwise both succeed.
 */
export async function keepingAnAdmin(tx: IdentityTx, change: () => Promise<void>): Promise<void> {
  await activeAdmins(tx).forUpdate().execute()
  await change()
  const left = await activeAdmins(tx).executeTakeFirst()
  if (!left)
    throw invalidPayload('The last active administrator can be neither deleted, demoted nor suspended')
}
