import type { z } from 'zod'
import type { Tx } from '../../database/database.ts'
import { invalidInput } from '../api/problems.ts'
import { type Answer, ok } from '../api/response.ts'
import { audit, type Context } from '../auth/index.ts'
import { lockWorkspace, toWorkspace } from '../tenancy/index.ts'
import type { Transfer } from './schema.ts'

/** Members, projects and tier go along; roles in the old organisation no longer reach it. */
export async function transferWorkspace(
  context: Context<{ kind: 'staff' }, z.output<typeof Transfer>>,
  tx: Tx,
): Promise<Answer> {
  const { body, params } = context
  // Organisations before workspaces, as everywhere: two orders of locking would deadlock.
  const organisation = await tx
    .selectFrom('organisations')
    .select('id')
    .where('id', '=', body.organisation_id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  const row = await lockWorkspace(tx, params['wid'] as string)
  if (!organisation) throw invalidInput({ path: 'organisation_id', message: 'is no organisation' })

  const moved = { organisation_id: organisation.id }
  await tx.updateTable('workspaces').set(moved).where('id', '=', row.id).execute()
  // Whoever invited did so by a role in the old organisation perhaps, which no longer counts: they invite again.
  await tx
    .deleteFrom('invitations')
    .where('workspace_id', '=', row.id)
    .where('state', '=', 'pending')
    .execute()
  await audit(tx, context, {
    action: 'workspace.transferred',
    organisationId: row.organisation_id,
    toOrganisationId: organisation.id,
    workspaceId: row.id,
    target: { kind: 'workspace', id: row.id },
    reason: body.reason,
  })
  return ok(toWorkspace({ ...row, ...moved }))
}
