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
 * Runs a change and rejects it if no active administrator would remain. Locks all administrators first: otherwise two of them
 * could demote each other at the same time.
 */
export async function keepOneAdmin(tx: IdentityTx, change: () => Promise<void>): Promise<void> {
  await activeAdmins(tx).forUpdate().execute()
  await change()
  const left = await activeAdmins(tx).executeTakeFirst()
  if (!left)
    throw invalidPayload('The last active administrator can be neither deleted, demoted nor suspended')
}
