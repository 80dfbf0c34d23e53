import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type OrganisationTarget } from '../../auth/index.ts'
import { withdrawInvitations } from '../members/invite.ts'
import { markDeleted } from '../records.ts'
import { markWorkspacesDeleted } from '../workspaces/delete-workspace.ts'

/** Deletes the organisation with all its workspaces and projects, in one transaction. */
export async function deleteOrganisation(context: ChangeContext<OrganisationTarget>): Promise<void> {
  const { tx, target } = context
  const { id } = target
  await markDeleted(tx, 'organisations', id)
  await markWorkspacesDeleted(tx, (workspaces) => workspaces.where('organisation_id', '=', id))
  await withdrawInvitations(tx, { kind: 'organisation', id })
  await audit(tx, context, {
    action: 'organisation.deleted',
    organisationId: id,
    target: { kind: 'organisation', id },
  })
}
