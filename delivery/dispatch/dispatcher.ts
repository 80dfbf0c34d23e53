import { setTimeout as pause } from 'node:timers/promises'
import { type Database, inTransaction } from '../../database/database.ts'
import type { Notifications } from '../../database/notifications.ts'
import type { Keyring } from '../../platform/encryption.ts'
import { newId } from '../../platform/ids.ts'
import type { Logger } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createWakeSignal } from '../../platform/wake-signal.ts'
import type { Egress } from '../http/index.ts'
import { type DisabledReason, disableWebhook } from '../statements/disable-webhook.ts'
import { LEASE_MS, RENEW_EVERY_MS, releaseQueues, unregisterDispatcher } from '../statements/lease-queues.ts'
import { openStatements } from '../statements/statement.ts'
import { createAttempts } from './attempt.ts'
import { createClaims } from './claims.ts'
import { createHeldQueues } from './held-queues.ts'
import { createLeasing } from './leasing.ts'
import { createDispatchMetrics, registerGauges } from './metrics.ts'
import { createRecorder } from './recorder.ts'
import { createSharing } from './sharing.ts'

interface DeliveryOptions {
  databaseUrl: string
  database: Database
  /** Those on WAKE_CHANNEL. */
  notifications: Notifications
  egress: Egress
  keyring: Keyring
  /** The tiers whose webhooks are sent to. */
  tiers: string[]
  userAgent: string
  metrics: Metrics
  log: Logger
}

/** The rest of a lease must cover the time from the claim to the request. */
const LEASE_MARGIN_MS = 1_000
const RELEASE_EVERY_MS = 500
const HAND_OVER_EVERY_MS = 10
const RETRY_MS = 250
/** How long requests in flight get when the dispatcher stops. */
const GRACE_MS = 8_000

/** Starts the dispatcher of this process: it leases endpoint queues and sends their due deliveries, until it is stopped. */
export function startDeliveries(options: DeliveryOptions) {
  const { database, notifications, egress, log } = options
  const { db } = database
  const statements = openStatements(options.databaseUrl)
  const metrics = createDispatchMetrics(options.metrics)
  const dispatcherId = newId()
  const wakeSignal = createWakeSignal()
  const queues = createHeldQueues(egress.maxConnections)
  const sharing = createSharing({ statements, dispatcherId, queues, metrics })
  registerGauges(options.metrics, queues, database, egress)
  const parts = { ...options, db, statements, metrics, dispatcherId, disable }
  const recorder = createRecorder({ ...parts, onLost: queues.drop, countQueues: () => queues.size })
  const leasing = createLeasing({ ...parts, queues, sharing, onWork: wakeSignal.signal })
  const attempt = createAttempts({ ...parts, queues, recorder, onCapacity: wakeSignal.signal })
  const claims = createClaims({ queues, attempt, onEnd: wakeSignal.signal })
  let leasedUntil = 0
  let renewAt = 0
  let releaseAt = 0
  let stopping = false
  const unsubscribe = notifications.subscribe(leasing.notify)
  const running = run()

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        await renew()
        await leasing.lease()
        claim()
        await sharing.handOverLeft(performance.now())
        await release()
      } catch (err) {
        log.warn({ err, component: 'webhooks' }, 'Dispatcher cannot reach the database; retrying')
        leasing.pollNow()
        await pause(RETRY_MS)
      }
      await wakeSignal.wait(untilNextTurn())
      const early = claims.nextAt - performance.now()
      if (early > 1) await pause(early)
    }
  }

  /** At least 1 ms, so that requests in flight can progress. A queue without capacity waits for a response, which signals. */
  function untilNextTurn(): number {
    const handOverAt = queues.hasLeaving ? performance.now() + HAND_OVER_EVERY_MS : Number.POSITIVE_INFINITY
    return Math.max(1, Math.min(renewAt, leasing.pollAt, claims.dueAt, handOverAt) - performance.now())
  }

  async function renew(): Promise<void> {
    const now = performance.now()
    if (now < renewAt) return
    await sharing.renew(now)
    leasedUntil = now + LEASE_MS - LEASE_MARGIN_MS
    renewAt = now + RENEW_EVERY_MS
  }

  function claim(): void {
    const now = performance.now()
    egress.expectGroups(queues.countReady())
    if (now > leasedUntil) renewAt = 0
    else claims.start(now)
  }

  async function disable(webhookId: string, reason: DisabledReason): Promise<void> {
    const done = await inTransaction(db, (tx) => disableWebhook(tx, webhookId, reason))
    if (done) log.info({ webhook_id: webhookId, reason, component: 'webhooks' }, 'Webhook disabled')
  }

  async function release(): Promise<void> {
    const now = performance.now()
    if (now < releaseAt) return
    releaseAt = now + RELEASE_EVERY_MS
    const idle = queues.takeIdle(now)
    if (idle.length > 0) await releaseQueues(statements, dispatcherId, idle)
  }

  /** Starts no new requests, gives those in flight some time, and releases its queues. */
  async function stop(graceMs = GRACE_MS): Promise<void> {
    unsubscribe()
    stopping = true
    queues.stopPrefetching()
    wakeSignal.signal()
    await running
    await leasing.stopped()
    await claims.ended()
    const deadline = performance.now() + graceMs
    while (queues.inFlight > 0 && performance.now() < deadline) {
      await sharing.handOverIdle()
      await pause(20)
    }
    await egress.close()
    await recorder.drained()
    await sharing.handOverIdle()
    await unregisterDispatcher(statements, dispatcherId)
    await statements.close()
  }

  return { stop }
}
