import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type Tier, type WorkspaceTarget } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { lockWorkspace } from '../workspaces/update-workspace.ts'
import { type NewProject, type Project, toColumns, toProject } from './schema.ts'

export async function createProject(
  context: ChangeContext<WorkspaceTarget>,
  project: z.output<typeof NewProject>,
  limits: Limits,
): Promise<z.output<typeof Project>> {
  const { target, tx } = context
  // Locked against being deleted at the same moment, which would leave a project in a deleted workspace, and against
  // parallel requests, so that they count the projects one after the other.
  const { tier } = await lockWorkspace(tx, target.id)
  limits.check('projects', { kind: 'workspace', tier: tier as Tier }, await countProjects(tx, target.id))
  const row = await tx
    .insertInto('projects')
    .values({ id: newId(), workspace_id: target.id, ...toColumns(project) })
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(tx, context, {
    action: 'project.created',
    organisationId: target.organisation_id,
    workspaceId: target.id,
    target: { kind: 'project', id: row.id },
  })
  return toProject(row)
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
