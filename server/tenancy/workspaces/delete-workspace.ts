import { sql, type UpdateQueryBuilder, type UpdateResult } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import type { Tables } from '../../../database/tables.ts'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type WorkspaceTarget } from '../../auth/index.ts'
import { withdrawInvitations } from '../members/invite.ts'

type WorkspaceUpdate = UpdateQueryBuilder<Tables, 'workspaces', 'workspaces', UpdateResult>

/** Deletes the workspace with all its projects, in one transaction. */
export async function deleteWorkspace(context: ChangeContext<WorkspaceTarget>): Promise<void> {
  const { target, tx } = context
  const isDeleted = await markWorkspacesDeleted(tx, (workspaces) => workspaces.where('id', '=', target.id))
  if (!isDeleted) throw new Problem('not_found')
  await withdrawInvitations(tx, { kind: 'workspace', id: target.id })
  await audit(tx, context, {
    action: 'workspace.deleted',
    organisationId: target.organisation_id,
    workspaceId: target.id,
    target: { kind: 'workspace', id: target.id },
  })
}

/** Marks the chosen workspaces and all their projects as deleted. Returns whether there were any. */
export async function markWorkspacesDeleted(
  tx: Tx,
  choose: (workspaces: WorkspaceUpdate) => WorkspaceUpdate,
): Promise<boolean> {
  const deleted = { deleted_at: sql<string>`now()` }
  const rows = await choose(tx.updateTable('workspaces').set(deleted).where('deleted_at', 'is', null))
    .returning('id')
    .execute()
  const ids = rows.map((row) => row.id)
  if (ids.length === 0) return false
  const projects = tx.updateTable('projects').set(deleted).where('workspace_id', 'in', ids)
  await projects.where('deleted_at', 'is', null).execute()
  return true
}
