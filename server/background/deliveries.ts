import type { Database } from '../../database/database.ts'
import type { Notifications } from '../../database/notifications.ts'
import { type Egress, parseNotification, startDeliveries } from '../../delivery/index.ts'
import type { Keyring } from '../../platform/encryption.ts'
import type { Logger } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { tiersWithWebhooks } from '../webhooks/access.ts'

export interface DeliveryParts {
  databaseUrl: string
  database: Database
  egress: Egress
  keyring: Keyring
  notifications: Notifications
  tierGates: boolean
  userAgent: string
  metrics: Metrics
  log: Logger
  /** How long attempts in progress get when the stop begins. */
  graceMs?: number
}

const GRACE_MS = 8_000

/** Sends deliveries until it is stopped: wakes the dispatcher whenever a transaction commits new ones. */
export function startDeliveryWorker(parts: DeliveryParts): { stop(): Promise<void> } {
  const dispatcher = startDeliveries({ ...parts, tiers: tiersWithWebhooks(parts.tierGates) })
  const unsubscribe = parts.notifications.subscribe((payload) =>
    dispatcher.wake(payload === null ? null : parseNotification(payload).webhookIds),
  )
  return {
    stop: async () => {
      unsubscribe()
      await dispatcher.stop(parts.graceMs ?? GRACE_MS)
    },
  }
}
