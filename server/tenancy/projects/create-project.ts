import type { z } from 'zod'
import { newId } from '../../../platform/ids.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type Tier, type WorkspaceTarget } from '../../auth/index.ts'
import { countRecords, lockRecord } from '../records.ts'
import type { ProjectParts } from './parts.ts'
import { type NewProject, type Project, toColumns, toProject } from './schema.ts'

export async function createProject(
  context: ChangeContext<WorkspaceTarget>,
  project: z.output<typeof NewProject>,
  { limits, publicUrl }: ProjectParts,
): Promise<z.output<typeof Project>> {
  const { target, tx } = context
  // A project must not be created in a workspace that is deleted at the same moment.
  const { tier } = await lockRecord(tx, 'workspaces', target.id)
  const count = await countRecords(tx, 'projects', 'workspace_id', target.id)
  limits.check('projects', { kind: 'workspace', tier: tier as Tier }, count)
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
  return toProject(row, publicUrl)
}
