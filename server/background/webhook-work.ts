import type { Database } from '../../database/database.ts'
import type { WakeUps } from '../../database/notifications.ts'
import {
  deleteDeadDispatchers,
  type Egress,
  endUnsendableDeliveries,
  parseNotification,
  runReplays,
  startDeliveries,
} from '../../delivery/index.ts'
import type { Keyring } from '../../platform/encryption.ts'
import type { Logger } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { eraseDeletedProjects } from '../webhooks/erase-payloads.ts'
import { tiersWithWebhooks } from '../webhooks/tier.ts'
import { repeat } from './periodic-task.ts'

export interface WebhookWork {
  databaseUrl: string
  database: Database
  egress: Egress
  keyring: Keyring
  wakeUps: WakeUps
  tierGates: boolean
  userAgent: string
  metrics: Metrics
  log: Logger
  /** Requests in flight when the stop begins get this long. */
  graceMs?: number
}

const GRACE_MS = 8_000
const REPLAY_EVERY_MS = 500
const END_EVERY_MS = 10_000

/** Delivers, replays and ends deliveries, until it is stopped. */
export function startWebhookWork(work: WebhookWork): { stop(): Promise<void> } {
  const { database, wakeUps, log } = work
  const { db } = database
  const tiers = tiersWithWebhooks(work.tierGates)
  const dispatcher = startDeliveries({ ...work, tiers })
  const unsubscribe = wakeUps.subscribe((payload) =>
    dispatcher.wake(payload === null ? null : parseNotification(payload).webhookIds),
  )
  const replays = repeat('webhooks', REPLAY_EVERY_MS, () => runReplays(db), log)
  const erasing = repeat('webhooks', END_EVERY_MS, () => eraseDeletedProjects(db), log)
  const ending = repeat('webhooks', END_EVERY_MS, () => endUnsendable(database, tiers), log)
  return {
    stop: async () => {
      unsubscribe()
      await Promise.all([
        replays.stop(),
        erasing.stop(),
        ending.stop(),
        dispatcher.stop(work.graceMs ?? GRACE_MS),
      ])
    },
  }
}

async function endUnsendable(database: Database, tiers: string[]): Promise<boolean> {
  await deleteDeadDispatchers(database)
  return (await endUnsendableDeliveries(database.db, tiers)) > 0
}
