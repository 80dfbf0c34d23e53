import { sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import { type HttpResponse as Answer, accepted } from '../../api/response.ts'
import type { RouteContext as Context } from '../../api/route-spec.ts'
import { audit } from '../../auth/index.ts'
import { tenantIdsOf as placeOf } from '../../tenancy/index.ts'
import type { WebhookAccess } from '../access.ts'
import { DELIVERY_HOURS } from '../events/emit.ts'
import { wakeLanes } from '../wake.ts'
import type { FoundDelivery } from './read-delivery.ts'

/** A new delivery of the same event: the same bytes, attempt 1, the whole ladder. */
export async function resend(
  context: Context<WebhookAccess>,
  tx: Tx,
  { webhook, delivery }: FoundDelivery,
): Promise<Answer> {
  if (delivery.kind === 'test') throw new Problem('test_delivery')
  refuseWhenDisabled(webhook)
  const { rows } = await sql<{ id: string }>`
    insert into deliveries
      (id, webhook_id, event_id, event_type, event_at, kind, payload, status, created_at, due_at, expires_at)
    select uuid_v7(), d.webhook_id, d.event_id, d.event_type, d.event_at, 'resend', d.payload, 'pending',
      clock_timestamp(), clock_timestamp(), now() + make_interval(hours => ${DELIVERY_HOURS})
    from deliveries d
    join events e on e.id = d.event_id and e.full_body is not null
    where d.webhook_id = ${webhook.id} and d.id = ${delivery.id}
    returning id`.execute(tx)
  const [made] = rows
  if (!made) throw new Problem('payload_erased')
  await tx
    .updateTable('deliveries')
    .set({ superseded_by: made.id })
    .where('webhook_id', '=', webhook.id)
    .where('id', '=', delivery.id)
    .where('status', 'in', ['failed', 'missed'])
    .execute()
  await wakeLanes(tx, [webhook.id])
  await audit(tx, context, {
    action: 'delivery.resent',
    ...(await placeOf(tx, context.target)),
    target: { kind: 'delivery', id: delivery.id },
    details: { webhook_id: webhook.id },
  })
  return accepted({ id: made.id })
}

/** It would be missed at once: better to say so. */
export function refuseWhenDisabled({ enabled }: { enabled: boolean }): void {
  if (!enabled) throw new Problem('webhook_disabled')
}
