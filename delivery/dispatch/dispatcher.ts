import { setTimeout as pause } from 'node:timers/promises'
import { type Database, inTransaction } from '../../database/database.ts'
import type { Keyring } from '../../platform/encryption.ts'
import { faultPoint } from '../../platform/fault-points.ts'
import { newId } from '../../platform/ids.ts'
import type { Logger } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createWakeSignal } from '../../platform/wake-signal.ts'
import type { Egress } from '../http/index.ts'
import { type DisabledReason, disableWebhook } from '../statements/disable-webhook.ts'
import {
  LEASE_MS,
  leaseQueues,
  RENEW_EVERY_MS,
  releaseQueues,
  renewLease,
  unregisterDispatcher,
} from '../statements/lease-queues.ts'
import { openStatements } from '../statements/statement.ts'
import { createAttempts } from './attempt.ts'
import { createHeldQueues } from './held-queues.ts'
import { createDispatchMetrics, registerGauges } from './metrics.ts'
import { createRecorder } from './recorder.ts'

interface DeliveryOptions {
  databaseUrl: string
  database: Database
  egress: Egress
  keyring: Keyring
  /** The tiers whose webhooks are sent to. */
  tiers: string[]
  userAgent: string
  metrics: Metrics
  log: Logger
}

/** Polls for due deliveries without a notification: retries, and lost notifications. Less often when a poll is slow. */
const POLL_EVERY_MS = 1_000
/** The least time between two claims, so that under load each of them takes many deliveries. */
const CLAIM_EVERY_MS = 10
/** The rest of a lease must cover the time from the claim to the request. */
const LEASE_MARGIN_MS = 1_000
const RELEASE_EVERY_MS = 500
const RETRY_MS = 250

/** Starts the dispatcher of this process: it leases endpoint queues and sends their due deliveries, until it is stopped. */
export function startDeliveries(options: DeliveryOptions) {
  const { database, egress, log } = options
  const { db } = database
  const statements = openStatements(options.databaseUrl)
  const metrics = createDispatchMetrics(options.metrics)
  const dispatcherId = newId()
  const wakeSignal = createWakeSignal()
  const queues = createHeldQueues(egress.maxConnections)
  registerGauges(options.metrics, queues, database, egress)
  const parts = { ...options, db, statements, metrics, dispatcherId, disable }
  const recorder = createRecorder({ ...parts, onLost: queues.drop })
  const attempt = createAttempts({ ...parts, queues, recorder, onCapacity: wakeSignal.signal })
  const notified = new Set<string>()
  let leasedUntil = 0
  let renewAt = 0
  let pollAt = 0
  let releaseAt = 0
  let claimedAt = 0
  let stopping = false
  const running = run()

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        await renew()
        await lease()
        await claim()
        await release()
      } catch (err) {
        log.warn({ err, component: 'webhooks' }, 'Dispatcher cannot reach the database; retrying')
        pollAt = 0
        await pause(RETRY_MS)
      }
      await wakeSignal.wait(untilNextTurn())
      const early = claimedAt + CLAIM_EVERY_MS - performance.now()
      if (early > 1) await pause(early)
    }
  }

  /** At least 1 ms, so that requests in flight can progress. A queue without capacity waits for a response, which signals. */
  function untilNextTurn(): number {
    const claimAt = queues.hasReady() ? claimedAt + CLAIM_EVERY_MS : Number.POSITIVE_INFINITY
    return Math.max(1, Math.min(renewAt, pollAt, claimAt) - performance.now())
  }

  async function renew(): Promise<void> {
    const now = performance.now()
    if (now < renewAt) return
    await renewLease(statements, dispatcherId)
    leasedUntil = now + LEASE_MS - LEASE_MARGIN_MS
    renewAt = now + RENEW_EVERY_MS
  }

  /** Notified queues that we hold become ready; the others are leased, and with each poll any that are due. */
  async function lease(): Promise<void> {
    const others = [...notified].filter((webhookId) => !queues.wake(webhookId))
    notified.clear()
    if (others.length > 0) await leaseSome(others)
    const now = performance.now()
    if (now < pollAt) return
    await leaseSome(null)
    pollAt = now + Math.max(POLL_EVERY_MS, 20 * (performance.now() - now))
  }

  async function leaseSome(webhookIds: string[] | null): Promise<void> {
    const leased = await leaseQueues(statements, dispatcherId, webhookIds, queues.space, queues.ids())
    if (leased.length === 0) return
    faultPoint('after_lease')
    metrics.takeOvers(leased.filter(({ takenOver }) => takenOver).length)
    queues.hold(leased)
  }

  async function claim(): Promise<void> {
    const now = performance.now()
    if (now > leasedUntil) {
      renewAt = 0
      return
    }
    const shares = queues.takeShares(now)
    if (shares.size === 0) return
    claimedAt = now
    await attempt(shares)
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
  async function stop(graceMs: number): Promise<void> {
    stopping = true
    wakeSignal.signal()
    await running
    const deadline = performance.now() + graceMs
    while (queues.inFlight > 0 && performance.now() < deadline) await pause(20)
    await egress.close()
    await recorder.drained()
    await unregisterDispatcher(statements, dispatcherId)
    await statements.close()
  }

  return {
    /** Webhooks that may have due deliveries; null: any of them. */
    wake(webhookIds: string[] | null): void {
      if (webhookIds === null) pollAt = 0
      else for (const webhookId of webhookIds) notified.add(webhookId)
      wakeSignal.signal()
    },
    stop,
  }
}
