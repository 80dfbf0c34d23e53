import type { z } from 'zod'
import { invalidInput } from '../api/problems.ts'
import type { ChangeContext } from '../api/route-spec.ts'
import { audit } from '../auth/index.ts'
import { lockRecord, toWorkspace, type Workspace, withdrawInvitations } from '../tenancy/index.ts'
import type { Transfer } from './schema.ts'

/** Moves a workspace with its members, projects and tier. Roles in the old organisation no longer apply to it. */
export async function transferWorkspace(
  context: ChangeContext,
  workspaceId: string,
  { organisation_id, reason }: z.output<typeof Transfer>,
): Promise<z.output<typeof Workspace>> {
  const { tx } = context
  // Every transaction locks organisations before workspaces; another order would deadlock.
  const organisation = await tx
    .selectFrom('organisations')
    .select('id')
    .where('id', '=', organisation_id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  const row = await lockRecord(tx, 'workspaces', workspaceId)
  if (!organisation)
    throw invalidInput({ path: 'organisation_id', message: 'is not the id of an organisation' })

  const moved = { organisation_id: organisation.id }
  await tx.updateTable('workspaces').set(moved).where('id', '=', row.id).execute()
  // An invitation can rest on a role in the old organisation, which no longer counts.
  await withdrawInvitations(tx, { kind: 'workspace', id: row.id })
  await audit(tx, context, {
    action: 'workspace.transferred',
    organisationId: row.organisation_id,
    toOrganisationId: organisation.id,
    workspaceId: row.id,
    target: { kind: 'workspace', id: row.id },
    reason,
  })
  return toWorkspace({ ...row, ...moved })
}
