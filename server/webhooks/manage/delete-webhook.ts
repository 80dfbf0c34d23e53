import { sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { endDeliveries } from '../../../delivery/index.ts'
import { Problem } from '../../api/problems.ts'
import { type HttpResponse as Answer, noContent } from '../../api/response.ts'
import type { RouteContext as Context } from '../../api/route-spec.ts'
import { audit } from '../../auth/index.ts'
import { tenantIdsOf as placeOf } from '../../tenancy/index.ts'
import type { WebhookAccess } from '../access.ts'

export async function deleteWebhook(context: Context<WebhookAccess>, tx: Tx): Promise<Answer> {
  const row = await tx
    .updateTable('webhooks')
    // The secret goes at once: nothing will be signed with it any more.
    .set({ deleted_at: sql<string>`now()`, secret: null, previous_secret: null })
    .where('id', '=', context.params['id'] as string)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  await endDeliveries(tx, row.id, 'cancelled')
  await tx
    .updateTable('replays')
    .set({ state: 'cancelled', finished_at: sql`now()` })
    .where('webhook_id', '=', row.id)
    .where('state', '=', 'running')
    .execute()
  await audit(tx, context, {
    action: 'webhook.deleted',
    ...(await placeOf(tx, context.target)),
    target: { kind: 'webhook', id: row.id },
  })
  return noContent()
}
