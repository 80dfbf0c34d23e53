import { sql } from 'kysely'
import type { z } from 'zod'
import { newId } from '../../platform/ids.ts'
import type { ChangeContext } from '../api/route-spec.ts'
import { audit, type WorkspaceTarget } from '../auth/index.ts'
import { type Limits, lockTierOfWorkspace } from '../tenancy/index.ts'
import { type Export, type NewExport, toExport } from './schema.ts'

const LIFETIME = '1 day'

/** Creates no file yet: the zip is generated while it is downloaded, which is possible for a day. */
export async function createExport(
  context: ChangeContext<WorkspaceTarget>,
  input: z.output<typeof NewExport>,
  { publicUrl, limits }: { publicUrl: string; limits: Limits },
): Promise<z.output<typeof Export>> {
  const { target: workspace, tx } = context
  const tier = await lockTierOfWorkspace(tx, workspace.id)
  await tx
    .deleteFrom('exports')
    .where('workspace_id', '=', workspace.id)
    .where('expires_at', '<=', sql<string>`now()`)
    .execute()
  const { count } = await tx
    .selectFrom('exports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspace.id)
    .executeTakeFirstOrThrow()
  limits.check('exports', { kind: 'workspace', tier }, count)
  const row = await tx
    .insertInto('exports')
    .values({
      id: newId(),
      workspace_id: workspace.id,
      audio: input?.audio ?? true,
      expires_at: sql<string>`now() + ${LIFETIME}::interval`,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(tx, context, {
    action: 'workspace.export',
    organisationId: workspace.organisation_id,
    workspaceId: workspace.id,
    target: { kind: 'export', id: row.id },
    details: { audio: row.audio },
  })
  return toExport(row, publicUrl)
}
