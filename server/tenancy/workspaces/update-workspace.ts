import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import type { Tables } from '../../../database/tables.ts'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type WorkspaceTarget } from '../../auth/index.ts'
import { toWorkspace, type Workspace, type WorkspacePatch } from './schema.ts'

export async function updateWorkspace(
  context: ChangeContext<WorkspaceTarget>,
  { name }: z.output<typeof WorkspacePatch>,
): Promise<z.output<typeof Workspace>> {
  const { target, tx } = context
  const row = await lockWorkspace(tx, target.id)
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

export async function lockWorkspace(tx: Tx, id: string): Promise<Selectable<Tables['workspaces']>> {
  const row = await tx
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  return row
}
