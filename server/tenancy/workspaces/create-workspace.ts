import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type OrganisationTarget } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { tierOfOrganisation } from '../tier-of.ts'
import { type NewWorkspace, toWorkspace, type Workspace } from './schema.ts'

/** The user who creates a workspace becomes its owner; it starts on the lowest tier. */
export async function createWorkspace(
  context: ChangeContext<OrganisationTarget>,
  { name }: z.output<typeof NewWorkspace>,
  limits: Limits,
): Promise<z.output<typeof Workspace>> {
  const { principal, target, tx } = context
  await lockOrganisation(tx, target.id)
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

/**
 * Locked against being deleted at the same moment, which would leave a workspace in a deleted organisation, and against
 * parallel requests, so that they count the workspaces one after the other.
 */
async function lockOrganisation(tx: Tx, id: string): Promise<void> {
  const row = await tx
    .selectFrom('organisations')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
}

async function checkLimit(tx: Tx, organisationId: string, limits: Limits): Promise<void> {
  const { count } = await tx
    .selectFrom('workspaces')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  limits.check(
    'workspaces',
    { kind: 'organisation', tier: await tierOfOrganisation(tx, organisationId) },
    count,
  )
}
