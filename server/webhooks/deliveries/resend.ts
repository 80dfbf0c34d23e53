import type { Tx } from '../../../database/database.ts'
import { resendDelivery } from '../../../delivery/index.ts'
import { Problem } from '../../api/problems.ts'
import { type HttpResponse as Answer, accepted } from '../../api/response.ts'
import type { RouteContext as Context } from '../../api/route-spec.ts'
import { audit } from '../../auth/index.ts'
import { tenantIdsOf as placeOf } from '../../tenancy/index.ts'
import type { WebhookAccess } from '../access.ts'
import type { FoundDelivery } from './read-delivery.ts'

export async function resend(
  context: Context<WebhookAccess>,
  tx: Tx,
  { webhook, delivery }: FoundDelivery,
): Promise<Answer> {
  if (delivery.kind === 'test') throw new Problem('test_delivery')
  refuseWhenDisabled(webhook)
  const id = await resendDelivery(tx, webhook.id, delivery.id)
  if (id === null) throw new Problem('payload_erased')
  await audit(tx, context, {
    action: 'delivery.resent',
    ...(await placeOf(tx, context.target)),
    target: { kind: 'delivery', id: delivery.id },
    details: { webhook_id: webhook.id },
  })
  return accepted({ id })
}

/** A delivery to it would be missed immediately. */
export function refuseWhenDisabled({ enabled }: { enabled: boolean }): void {
  if (!enabled) throw new Problem('webhook_disabled')
}
