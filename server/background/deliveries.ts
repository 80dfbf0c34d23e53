import type { Notifications } from '../../database/notifications.ts'
import { parseNotification, startDeliveries } from '../../delivery/index.ts'
import { tiersWithWebhooks } from '../webhooks/access.ts'

export interface DeliveryParts extends Omit<Parameters<typeof startDeliveries>[0], 'tiers'> {
  notifications: Notifications
  tierGates: boolean
  /** How long attempts in progress get when the worker stops. */
  graceMs?: number
}

const GRACE_MS = 8_000

/** Sends deliveries until it is stopped: wakes the dispatcher whenever a transaction commits new ones. */
export function startDeliveryWorker(parts: DeliveryParts): { stop(): Promise<void> } {
  const dispatcher = startDeliveries({ ...parts, tiers: tiersWithWebhooks(parts.tierGates) })
  const unsubscribe = parts.notifications.subscribe((payload) =>
    dispatcher.wake(payload === null ? null : parseNotification(payload)),
  )
  return {
    stop: async () => {
      unsubscribe()
      await dispatcher.stop(parts.graceMs ?? GRACE_MS)
    },
  }
}
