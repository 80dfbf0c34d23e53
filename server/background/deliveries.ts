import type { Database } from '../../database/database.ts'
import type { WakeUps } from '../../database/notifications.ts'
import { startDispatcher } from '../../delivery/dispatch/dispatcher.ts'
import { createDispatchMetrics, watchLanes } from '../../delivery/dispatch/metrics.ts'
import { openStatements } from '../../delivery/dispatch/statements.ts'
import type { Egress } from '../../delivery/http/index.ts'
import type { Keyring } from '../../platform/encryption.ts'
import type { Logger } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { tiersWithWebhooks } from '../webhooks/tier.ts'
import { parseWakeUp } from '../webhooks/wake.ts'

export interface DeliveryParts {
  databaseUrl: string
  database: Database
  egress: Egress
  keyring: Keyring
  wakeUps: WakeUps
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
  const { database, wakeUps, metrics } = parts
  const statements = openStatements(parts.databaseUrl)
  const dispatcher = startDispatcher({
    ...parts,
    statements,
    db: database.db,
    tiers: tiersWithWebhooks(parts.tierGates),
    metrics: createDispatchMetrics(metrics),
  })
  watchLanes(metrics, dispatcher, database, parts.egress)
  const unsubscribe = wakeUps.subscribe((payload) =>
    dispatcher.wake(payload === null ? null : parseWakeUp(payload).webhookIds),
  )
  return {
    stop: async () => {
      unsubscribe()
      await dispatcher.stop(parts.graceMs ?? GRACE_MS)
      await statements.close()
    },
  }
}
