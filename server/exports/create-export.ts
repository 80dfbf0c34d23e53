import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Answer } from '../api/response.ts'
import { audit, type Context } from '../auth/index.ts'
import { type Limits, lockTierOfWorkspace } from '../tenancy/index.ts'
import type { ExportAccess } from './find-export.ts'
import { type NewExport, pathOf, toExport } from './schema.ts'

const LIVES = '1 day'

/** Nothing is made yet: the answer says where the zip can be read from, for a day. */
export async function createExport(
  context: Context<ExportAccess, z.output<typeof NewExport>>,
  tx: Tx,
  { publicUrl, limits }: { publicUrl: string; limits: Limits },
): Promise<Answer> {
  const { target: workspace, body } = context
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
      audio: body?.audio ?? true,
      expires_at: sql<string>`now() + ${LIVES}::interval`,
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
  return { status: 202, headers: { location: pathOf(row) }, body: toExport(row, publicUrl) }
}
