import type { z } from 'zod'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type WorkspaceTarget } from '../../auth/index.ts'
import { lockRecord } from '../records.ts'
import { toWorkspace, type Workspace, type WorkspacePatch } from './schema.ts'

export async function updateWorkspace(
  context: ChangeContext<WorkspaceTarget>,
  { name }: z.output<typeof WorkspacePatch>,
): Promise<z.output<typeof Workspace>> {
  const { target, tx } = context
  const row = await lockRecord(tx, 'workspaces', target.id)
  context.requireUnchanged(toWorkspace(row))
  if (name === undefined || name === row.name) return toWorkspace(row)

  await tx.updateTable('workspaces').set({ name }).where('id', '=', row.id).execute()
  await audit(tx, context, {
    action: 'workspace.updated',
    organisationId: row.organisation_id,
    workspaceId: row.id,
    target: { kind: 'workspace', id: row.id },
    details: { fields: ['name'] },
  })
  return toWorkspace({ ...row, name })
}
