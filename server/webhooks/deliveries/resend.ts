import { resendDelivery } from '../../../delivery/index.ts'
import { Problem } from '../../api/problems.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import type { ProjectTarget, Tier } from '../../auth/index.ts'
import { auditChange, type WebhookRow } from '../access.ts'
import type { Delivery } from './schema.ts'

/** Sends the event of a delivery again, with the same body. Returns the id of the new delivery. */
export async function resend(
  context: ChangeContext<ProjectTarget>,
  { webhook, delivery }: { webhook: WebhookRow; delivery: Delivery },
  tiers: Tier[],
): Promise<{ id: string }> {
  if (delivery.kind === 'test') throw new Problem('test_delivery')
  refuseWhenDisabled(webhook)
  const id = await resendDelivery(context.tx, { webhookId: webhook.id, deliveryId: delivery.id }, tiers)
  if (id === null) throw new Problem('payload_erased')
  await auditChange(
    context,
    'delivery.resent',
    { kind: 'delivery', id: delivery.id },
    { webhook_id: webhook.id },
  )
  return { id }
}

/** A new delivery to a disabled webhook would immediately be recorded as missed. */
export function refuseWhenDisabled({ enabled }: { enabled: boolean }): void {
  if (!enabled) throw new Problem('webhook_disabled')
}
