import type { z } from 'zod'
import { audit, type Context } from '../../access/index.ts'
import { type Answer, created } from '../../kernel/answer.ts'
import type { Tx } from '../../kernel/database.ts'
import { newId } from '../../kernel/ids.ts'
import { lockWorkspace } from '../workspaces/update-workspace.ts'
import { type NewProject, toColumns, toProject } from './schema.ts'

type Create = { kind: 'workspace'; capability: 'project:create' }

export async function createProject(
  context: Context<Create, z.output<typeof NewProject>>,
  tx: Tx,
): Promise<Answer> {
  const { target, body } = context
  // Locked against being deleted meanwhile, which would leave a living project in a dead workspace.
  await lockWorkspace(tx, target.id)
  const row = await tx
    .insertInto('projects')
    .values({ id: newId(), workspace_id: target.id, ...toColumns(body) })
    .returningAll()
    .executeTakeFirstOrThrow()
  const place = { organisationId: target.organisation_id, workspaceId: target.id }
  await audit(tx, context, { action: 'project.created', ...place, target: { kind: 'project', id: row.id } })
  return created(toProject(row), `/api/v2/projects/${row.id}`)
}
