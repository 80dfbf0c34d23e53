import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type OrganisationTarget } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { countRecords, lockRecord } from '../records.ts'
import { tierOfOrganisation } from '../tier-of.ts'
import { type NewWorkspace, toWorkspace, type Workspace } from './schema.ts'

/** The user who creates a workspace becomes its owner; it starts on the lowest tier. */
export async function createWorkspace(
  context: ChangeContext<OrganisationTarget>,
  { name }: z.output<typeof NewWorkspace>,
  limits: Limits,
): Promise<z.output<typeof Workspace>> {
  const { principal, target, tx } = context
  // A workspace must not be created in an organisation that is deleted at the same moment.
  await lockRecord(tx, 'organisations', target.id, 'no key update')
  await checkLimit(tx, target.id, limits)
  const row = await tx
    .insertInto('workspaces')
    .values({ id: newId(), organisation_id: target.id, name })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('workspace_members')
    .values({ workspace_id: row.id, user_id: principal.userId, role: 'owner' })
    .execute()
  await audit(tx, context, {
    action: 'workspace.created',
    organisationId: target.id,
    workspaceId: row.id,
    target: { kind: 'workspace', id: row.id },
  })
  return toWorkspace(row)
}

async function checkLimit(tx: Tx, organisationId: string, limits: Limits): Promise<void> {
  const owner = { kind: 'organisation' as const, tier: await tierOfOrganisation(tx, organisationId) }
  limits.check('workspaces', owner, await countRecords(tx, 'workspaces', 'organisation_id', organisationId))
}
