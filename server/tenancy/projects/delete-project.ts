import { sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import { type Answer, noContent } from '../../api/response.ts'
import { audit, type Context } from '../../auth/index.ts'
import { placeOf } from './place.ts'

export async function deleteProject(
  context: Context<{ kind: 'project'; capability: 'project:delete' }>,
  tx: Tx,
): Promise<Answer> {
  const { target } = context
  const row = await tx
    .updateTable('projects')
    .set({ deleted_at: sql<string>`now()` })
    .where('id', '=', target.id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  const place = await placeOf(tx, target)
  await audit(tx, context, { action: 'project.deleted', ...place, target: { kind: 'project', id: row.id } })
  return noContent()
}
