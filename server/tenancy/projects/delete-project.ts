import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type ProjectTarget } from '../../auth/index.ts'
import { markDeleted, tenantIdsOf } from '../records.ts'

export async function deleteProject(context: ChangeContext<ProjectTarget>): Promise<void> {
  const { target, tx } = context
  await markDeleted(tx, 'projects', target.id)
  await audit(tx, context, {
    action: 'project.deleted',
    ...(await tenantIdsOf(tx, target)),
    target: { kind: 'project', id: target.id },
  })
}
