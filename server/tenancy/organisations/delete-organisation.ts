import { sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import { type Answer, noContent } from '../../api/response.ts'
import { audit, type Context } from '../../auth/index.ts'
import { buryWorkspaces } from '../workspaces/delete-workspace.ts'

/** With all its workspaces and projects, at once for every reader. */
export async function deleteOrganisation(
  context: Context<{ kind: 'organisation'; capability: 'organisation:delete' }>,
  tx: Tx,
): Promise<Answer> {
  const { target } = context
  const row = await tx
    .updateTable('organisations')
    .set({ deleted_at: sql<string>`now()` })
    .where('id', '=', target.id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  await buryWorkspaces(tx, (workspaces) => workspaces.where('organisation_id', '=', row.id))
  await tx
    .deleteFrom('invitations')
    .where('organisation_id', '=', row.id)
    .where('state', '=', 'pending')
    .execute()
  await audit(tx, context, {
    action: 'organisation.deleted',
    organisationId: row.id,
    target: { kind: 'organisation', id: row.id },
  })
  return noContent()
}
