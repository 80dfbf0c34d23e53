import { sql, type UpdateQueryBuilder, type UpdateResult } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import type { Tables } from '../../../database/tables.ts'
import { Problem } from '../../api/problems.ts'
import { type Answer, noContent } from '../../api/response.ts'
import { audit, type Context } from '../../auth/index.ts'

type WorkspaceUpdate = UpdateQueryBuilder<Tables, 'workspaces', 'workspaces', UpdateResult>

/** With all its projects, at once for every reader. */
export async function deleteWorkspace(
  context: Context<{ kind: 'workspace'; capability: 'workspace:delete' }>,
  tx: Tx,
): Promise<Answer> {
  const { target } = context
  const buried = await buryWorkspaces(tx, (workspaces) => workspaces.where('id', '=', target.id))
  if (buried.length === 0) throw new Problem('not_found')
  await tx
    .deleteFrom('invitations')
    .where('workspace_id', '=', target.id)
    .where('state', '=', 'pending')
    .execute()
  const place = { organisationId: target.organisation_id, workspaceId: target.id }
  await audit(tx, context, {
    action: 'workspace.deleted',
    ...place,
    target: { kind: 'workspace', id: target.id },
  })
  return noContent()
}

/** Sets the tombstones of the chosen workspaces and of all projects in them; answers the workspaces' ids. */
export async function buryWorkspaces(
  tx: Tx,
  choose: (workspaces: WorkspaceUpdate) => WorkspaceUpdate,
): Promise<string[]> {
  const gone = sql<string>`now()`
  const rows = await choose(
    tx.updateTable('workspaces').set({ deleted_at: gone }).where('deleted_at', 'is', null),
  )
    .returning('id')
    .execute()
  const ids = rows.map((row) => row.id)
  if (ids.length > 0) {
    await tx
      .updateTable('projects')
      .set({ deleted_at: gone })
      .where('workspace_id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute()
  }
  return ids
}
