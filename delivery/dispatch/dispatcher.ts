import { setTimeout as pause } from 'node:timers/promises'
import { type Database, inTransaction } from '../../database/database.ts'
import type { Notifications } from '../../database/notifications.ts'
import type { Keyring } from '../../platform/encryption.ts'
import { newId } from '../../platform/ids.ts'
import type { Logger } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { createWakeSignal } from '../../platform/wake-signal.ts'
import { faultPoint } from '../fault-points.ts'
import type { Egress } from '../http/index.ts'
import { parseNotification } from '../notifications.ts'
import { type DisabledReason, disableWebhook } from '../statements/disable-webhook.ts'
import {
  acceptQueues,
  LEASE_MS,
  type LeasedQueue,
  leaseQueues,
  RENEW_EVERY_MS,
  releaseQueues,
  unregisterDispatcher,
} from '../statements/lease-queues.ts'
import { openStatements } from '../statements/statement.ts'
import { createAttempts } from './attempt.ts'
import { CLAIM_SIZE, createHeldQueues } from './held-queues.ts'
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

/** Polls for due deliveries without a notification: retries, and lost notifications. Less often when a poll is slow. */
const POLL_EVERY_MS = 1_000
/**
 * The least time between two claims, in proportion to the deliveries that the last one could take: under load, each takes many. A process
 * with few busy queues does not wait that long for each handful.
 */
const CLAIM_EVERY_MS = { min: 2, max: 10 }
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
  const recorder = createRecorder({ ...parts, onLost: queues.drop })
  const attempt = createAttempts({ ...parts, queues, recorder, onCapacity: wakeSignal.signal })
  const notified = new Set<string>()
  const handedOver = new Set<string>()
  let leasedUntil = 0
  let renewAt = 0
  let pollAt = 0
  let releaseAt = 0
  let nextClaimAt = 0
  let stopping = false
  const unsubscribe = notifications.subscribe(wake)
  const running = run()

  /** A transaction committed deliveries. Null: notifications may have been lost. */
  function wake(notification: string | null): void {
    if (notification === null) pollAt = 0
    const { webhookIds, to } = parseNotification(notification ?? '')
    if (to !== null && to !== dispatcherId) return
    const waiting = to === null ? notified : handedOver
    for (const webhookId of webhookIds) waiting.add(webhookId)
    wakeSignal.signal()
  }

  async function run(): Promise<void> {
    while (!stopping) {
      try {
        await renew()
        await lease()
        await claim()
        await sharing.handOverLeft(performance.now())
        await release()
      } catch (err) {
        log.warn({ err, component: 'webhooks' }, 'Dispatcher cannot reach the database; retrying')
        pollAt = 0
        await pause(RETRY_MS)
      }
      await wakeSignal.wait(untilNextTurn())
      const early = nextClaimAt - performance.now()
      if (early > 1) await pause(early)
    }
  }

  /** At least 1 ms, so that requests in flight can progress. A queue without capacity waits for a response, which signals. */
  function untilNextTurn(): number {
    const claimAt = queues.hasReady() ? nextClaimAt : Number.POSITIVE_INFINITY
    const handOverAt = queues.hasLeaving ? performance.now() + HAND_OVER_EVERY_MS : Number.POSITIVE_INFINITY
    return Math.max(1, Math.min(renewAt, pollAt, claimAt, handOverAt) - performance.now())
  }

  async function renew(): Promise<void> {
    const now = performance.now()
    if (now < renewAt) return
    await sharing.renew(now)
    leasedUntil = now + LEASE_MS - LEASE_MARGIN_MS
    renewAt = now + RENEW_EVERY_MS
  }

  /** Notified queues that we hold become ready. Of the others we lease our share, and with each poll any that are due. */
  async function lease(): Promise<void> {
    const given = takeAll(handedOver)
    if (given.length > 0) hold(await acceptQueues(statements, dispatcherId, given, queues.ids()))
    const own = takeAll(notified).filter((webhookId) => !queues.wake(webhookId) && sharing.isOwn(webhookId))
    if (own.length > 0) await leaseSome(own)
    const now = performance.now()
    if (now < pollAt) return
    await leaseSome(null)
    pollAt = now + Math.max(POLL_EVERY_MS, 20 * (performance.now() - now))
  }

  async function leaseSome(named: string[] | null): Promise<void> {
    const options = { named, held: queues.ids(), limit: queues.space, slots: sharing.slots }
    hold(await leaseQueues(statements, dispatcherId, options))
  }

  function hold(leased: LeasedQueue[]): void {
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
    const slots = shares.values().reduce((sum, each) => sum + each, 0)
    nextClaimAt = now + Math.max(CLAIM_EVERY_MS.min, CLAIM_EVERY_MS.max * Math.min(1, slots / CLAIM_SIZE))
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
  async function stop(graceMs = GRACE_MS): Promise<void> {
    unsubscribe()
    stopping = true
    wakeSignal.signal()
    await running
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

function takeAll(ids: Set<string>): string[] {
  const all = [...ids]
  ids.clear()
  return all
}
