import { sql } from 'kysely'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type OrganisationTarget } from '../../auth/index.ts'
import { markWorkspacesDeleted } from '../workspaces/delete-workspace.ts'

/** Deletes the organisation with all its workspaces and projects, in one transaction. */
export async function deleteOrganisation(context: ChangeContext<OrganisationTarget>): Promise<void> {
  const { target, tx } = context
  const row = await tx
    .updateTable('organisations')
    .set({ deleted_at: sql<string>`now()` })
    .where('id', '=', target.id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  await markWorkspacesDeleted(tx, (workspaces) => workspaces.where('organisation_id', '=', row.id))
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
}
