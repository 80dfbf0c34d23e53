import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { type Answer, created } from '../../api/response.ts'
import { audit, type Context, type Tier } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { lockWorkspace } from '../workspaces/update-workspace.ts'
import { type NewProject, toColumns, toProject } from './schema.ts'

type Create = { kind: 'workspace'; capability: 'project:create' }

export async function createProject(
  context: Context<Create, z.output<typeof NewProject>>,
  tx: Tx,
  limits: Limits,
): Promise<Answer> {
  const { target, body } = context
  // Locked against being deleted at the same moment, which would leave a project in a deleted workspace, and against
  // parallel requests, so that they count the projects one after the other.
  const { tier } = await lockWorkspace(tx, target.id)
  limits.check('projects', { kind: 'workspace', tier: tier as Tier }, await countProjects(tx, target.id))
  const row = await tx
    .insertInto('projects')
    .values({ id: newId(), workspace_id: target.id, ...toColumns(body) })
    .returningAll()
    .executeTakeFirstOrThrow()
  const place = { organisationId: target.organisation_id, workspaceId: target.id }
  await audit(tx, context, { action: 'project.created', ...place, target: { kind: 'project', id: row.id } })
  return created(toProject(row), `/api/v2/projects/${row.id}`)
}

async function countProjects(tx: Tx, workspaceId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('projects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
