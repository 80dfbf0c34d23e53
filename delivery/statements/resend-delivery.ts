import type { Tx } from '../../database/database.ts'
import { notifyDispatchers } from '../notifications.ts'
import { JOIN_TENANT, UNSENT_STATUS } from '../rules/sendable.ts'
import { insertDeliveries } from './insert-deliveries.ts'
import { execute, statement } from './statement.ts'

const RESEND = statement<{ webhookId: string; deliveryId: string; tiers: string[] }, { id: string }>(
  'resend_delivery',
  insertDeliveries(`
    select uuid_v7() as id, d.webhook_id, d.event_id, d.event_type, d.event_at, 'resend' as kind, d.payload,
      ${UNSENT_STATUS} as status, clock_timestamp() as created_at
    from deliveries d
    join events e on e.id = d.event_id and e.full_body is not null
    join webhooks w on w.id = d.webhook_id
    ${JOIN_TENANT}
    where d.webhook_id = :webhookId and d.id = :deliveryId`).concat(' returning id'),
)

/** A new delivery of the same event, with the same body and a new retry schedule. Null after an erasure. */
export async function resendDelivery(
  tx: Tx,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
  tiers: string[],
): Promise<string | null> {
  const { rows } = await execute(tx, RESEND, { webhookId, deliveryId, tiers })
  const [resent] = rows
  if (!resent) return null
  await tx
    .updateTable('deliveries')
    .set({ superseded_by: resent.id })
    .where('webhook_id', '=', webhookId)
    .where('id', '=', deliveryId)
    .where('status', 'in', ['failed', 'missed'])
    .execute()
  await notifyDispatchers(tx, [webhookId])
  return resent.id
}
