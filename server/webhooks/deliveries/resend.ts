import { resendDelivery } from '../../../delivery/index.ts'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import { audit, type ProjectTarget } from '../../auth/index.ts'
import { tenantIdsOf } from '../../tenancy/index.ts'
import type { WebhookRow } from '../access.ts'
import type { Delivery } from './schema.ts'

/** Sends the event of a delivery again, with the same body. Returns the id of the new delivery. */
export async function resend(
  context: ChangeContext<ProjectTarget>,
  { webhook, delivery }: { webhook: WebhookRow; delivery: Delivery },
): Promise<{ id: string }> {
  const { tx } = context
  if (delivery.kind === 'test') throw new Problem('test_delivery')
  refuseWhenDisabled(webhook)
  const id = await resendDelivery(tx, webhook.id, delivery.id)
  if (id === null) throw new Problem('payload_erased')
  await audit(tx, context, {
    action: 'delivery.resent',
    ...(await tenantIdsOf(tx, context.target)),
    target: { kind: 'delivery', id: delivery.id },
    details: { webhook_id: webhook.id },
  })
  return { id }
}

/** A new delivery to a disabled webhook would immediately be recorded as missed. */
export function refuseWhenDisabled({ enabled }: { enabled: boolean }): void {
  if (!enabled) throw new Problem('webhook_disabled')
}
