import { sql } from 'kysely'
import { endDeliveries } from '../../../delivery/index.ts'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { auditChange } from '../access.ts'

export async function deleteWebhook(context: ChangeContext<ProjectTarget>, id: string): Promise<void> {
  const { tx } = context
  await tx
    .updateTable('webhooks')
    // Nothing is signed with the secrets any more, so they are erased immediately.
    .set({ deleted_at: sql<string>`now()`, secret: null, previous_secret: null })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow(() => new Problem('not_found'))
  await endDeliveries(tx, id, 'cancelled')
  await tx
    .updateTable('replays')
    .set({ state: 'cancelled', finished_at: sql`now()` })
    .where('webhook_id', '=', id)
    .where('state', '=', 'running')
    .execute()
  await auditChange(context, 'webhook.deleted', { kind: 'webhook', id })
}
