import type { z } from 'zod'
import type { ChangeContext } from '../api/route-spec.ts'
import { audit } from '../auth/index.ts'
import { lockRecord, toWorkspace, type Workspace } from '../tenancy/index.ts'
import type { TierChange } from './schema.ts'

export async function setTier(
  context: ChangeContext,
  workspaceId: string,
  { tier, reason }: z.output<typeof TierChange>,
): Promise<z.output<typeof Workspace>> {
  const { tx } = context
  const row = await lockRecord(tx, 'workspaces', workspaceId)
  context.requireUnchanged(toWorkspace(row))
  await tx.updateTable('workspaces').set({ tier }).where('id', '=', row.id).execute()
  await audit(tx, context, {
    action: 'workspace.tier_set',
    organisationId: row.organisation_id,
    workspaceId: row.id,
    target: { kind: 'workspace', id: row.id },
    reason,
    details: { from: row.tier, to: tier },
  })
  return toWorkspace({ ...row, tier })
}
