import { deleteWebhook as deleteFrom } from '../../../delivery/index.ts'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { auditChange } from '../access.ts'

export async function deleteWebhook(context: ChangeContext<ProjectTarget>, id: string): Promise<void> {
  if (!(await deleteFrom(context.tx, id))) throw new Problem('not_found')
  await auditChange(context, 'webhook.deleted', { kind: 'webhook', id })
}
