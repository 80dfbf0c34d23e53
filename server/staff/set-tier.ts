import type { z } from 'zod'
import type { Tx } from '../../database/database.ts'
import { type Answer, ok, requireMatch } from '../api/response.ts'
import { audit, type Context } from '../auth/index.ts'
import { lockWorkspace, toWorkspace } from '../tenancy/index.ts'
import type { TierChange } from './schema.ts'

export async function setTier(
  context: Context<{ kind: 'staff' }, z.output<typeof TierChange>>,
  tx: Tx,
): Promise<Answer> {
  const { body, params, ifMatch } = context
  const row = await lockWorkspace(tx, params['wid'] as string)
  requireMatch(ifMatch, toWorkspace(row))
  await tx.updateTable('workspaces').set({ tier: body.tier }).where('id', '=', row.id).execute()
  await audit(tx, context, {
    action: 'workspace.tier_set',
    organisationId: row.organisation_id,
    workspaceId: row.id,
    target: { kind: 'workspace', id: row.id },
    reason: body.reason,
    details: { from: row.tier, to: body.tier },
  })
  return ok(toWorkspace({ ...row, tier: body.tier }))
}
