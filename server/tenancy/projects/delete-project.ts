import { sql } from 'kysely'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type ProjectTarget } from '../../auth/index.ts'
import { tenantIdsOf } from '../tenant-ids.ts'

export async function deleteProject(context: ChangeContext<ProjectTarget>): Promise<void> {
  const { target, tx } = context
  const row = await tx
    .updateTable('projects')
    .set({ deleted_at: sql<string>`now()` })
    .where('id', '=', target.id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  await audit(tx, context, {
    action: 'project.deleted',
    ...(await tenantIdsOf(tx, target)),
    target: { kind: 'project', id: row.id },
  })
}
