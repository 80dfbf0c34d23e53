import type { Database } from '../../database/database.ts'
import type { WakeUps } from '../../database/notifications.ts'
import { startDispatcher } from '../../delivery/dispatch/dispatcher.ts'
import { forgetDeadDispatchers } from '../../delivery/statements/lease-queues.ts'
import { createDispatchMetrics, watchLanes } from '../../delivery/dispatch/metrics.ts'
import { openStatements } from '../../delivery/statements/statement.ts'
import type { Egress } from '../../delivery/http/index.ts'
import type { Keyring } from '../../platform/encryption.ts'
import type { Logger } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { eraseDeletedProjects } from '../webhooks/erase.ts'
import { settleHalted } from '../../delivery/statements/end-deliveries.ts'
import { runReplays } from '../../delivery/replays/run-replays.ts'
import { tiersWithWebhooks } from '../webhooks/tier.ts'
import { parseWakeUp } from '../../delivery/notifications.ts'
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
  /** What is under way when the stop begins gets this long. */
  graceMs?: number
}

const GRACE_MS = 8_000
const REPLAY_EVERY_MS = 500
const SETTLE_EVERY_MS = 10_000

/** Delivers, replays and settles, until it is stopped. */
export function startWebhookWork(work: WebhookWork): { stop(): Promise<void> } {
  const { database, wakeUps, metrics, log } = work
  const { db } = database
  const tiers = tiersWithWebhooks(work.tierGates)
  const statements = openStatements(work.databaseUrl)
  const dispatcher = startDispatcher({
    ...work,
    statements,
    db,
    tiers,
    metrics: createDispatchMetrics(metrics),
  })
  watchLanes(metrics, dispatcher, database, work.egress)
  const unsubscribe = wakeUps.subscribe((payload) =>
    dispatcher.wake(payload === null ? null : parseWakeUp(payload).webhookIds),
  )
  const replays = repeat('webhooks', REPLAY_EVERY_MS, () => runReplays(db), log)
  const erasing = repeat('webhooks', SETTLE_EVERY_MS, () => eraseDeletedProjects(db), log)
  const settling = repeat('webhooks', SETTLE_EVERY_MS, () => settle(database, tiers), log)
  return {
    stop: async () => {
      unsubscribe()
      await Promise.all([
        replays.stop(),
        erasing.stop(),
        settling.stop(),
        dispatcher.stop(work.graceMs ?? GRACE_MS),
      ])
      await statements.close()
    },
  }
}

async function settle(database: Database, tiers: string[]): Promise<boolean> {
  await forgetDeadDispatchers(database)
  return (await settleHalted(database.db, tiers)) > 0
}
