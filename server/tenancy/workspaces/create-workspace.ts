import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import { type Answer, created } from '../../api/response.ts'
import { audit, type Context } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { tierOfOrganisation } from '../tier-of.ts'
import { type NewWorkspace, toWorkspace } from './schema.ts'

type Create = { kind: 'organisation'; capability: 'workspace:create' }

/** The user who creates a workspace becomes its owner; it begins on the lowest tier. */
export async function createWorkspace(
  context: Context<Create, z.output<typeof NewWorkspace>>,
  tx: Tx,
  limits: Limits,
): Promise<Answer> {
  const { principal, target, body } = context
  await lockOrganisation(tx, target.id)
  await checkLimit(tx, target.id, limits)
  const row = await tx
    .insertInto('workspaces')
    .values({ id: newId(), organisation_id: target.id, name: body.name })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('workspace_members')
    .values({ workspace_id: row.id, user_id: principal.userId, role: 'owner' })
    .execute()
  const place = { organisationId: target.id, workspaceId: row.id }
  await audit(tx, context, {
    action: 'workspace.created',
    ...place,
    target: { kind: 'workspace', id: row.id },
  })
  return created(toWorkspace(row), `/api/v2/workspaces/${row.id}`)
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
