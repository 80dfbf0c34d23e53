import type { Logger } from '../../platform/log.ts'
import { faultPoint } from '../fault-points.ts'
import { parseNotification } from '../notifications.ts'
import { acceptQueues, type LeasedQueue, leaseQueues } from '../statements/lease-queues.ts'
import type { Statements } from '../statements/statement.ts'
import type { HeldQueues } from './held-queues.ts'
import type { DispatchMetrics } from './metrics.ts'
import type { Sharing } from './sharing.ts'

interface LeasingParts {
  statements: Statements
  dispatcherId: string
  queues: HeldQueues
  sharing: Sharing
  metrics: DispatchMetrics
  log: Logger
  /** Queues were leased or notified. */
  onWork(): void
}

/** Polls for due deliveries without a notification: retries, and lost notifications. Less often when a poll is slow. */
const POLL_EVERY_MS = 1_000
const RETRY_MS = 250
/** Queues that a poll leases: after a start, the first ones are sent to while the others are leased. */
const POLL_SIZE = 4_000

/** Finds the endpoint queues that this process should hold. */
export function createLeasing(parts: LeasingParts) {
  const { statements, dispatcherId, queues, sharing, metrics, log, onWork } = parts
  const notified = new Set<string>()
  const handedOver = new Set<string>()
  let polling: Promise<void> | null = null
  let pollAt = 0

  function hold(leased: LeasedQueue[]): void {
    if (leased.length === 0) return
    faultPoint('after_lease')
    metrics.takeOvers(leased.filter(({ takenOver }) => takenOver).length)
    queues.hold(leased)
  }

  async function leaseSome(named: string[] | null, limit: number): Promise<number> {
    const leased = await leaseQueues(statements, dispatcherId, { named, limit, slots: sharing.slots })
    hold(leased)
    return leased.length
  }

  async function accept(webhookIds: string[] | null): Promise<void> {
    hold(await acceptQueues(statements, dispatcherId, webhookIds, queues.ids()))
  }

  /** Runs beside the claims: with 10,000 webhooks, it can take half a second. */
  async function poll(): Promise<void> {
    const began = performance.now()
    let next = began + RETRY_MS
    pollAt = Number.POSITIVE_INFINITY
    try {
      const limit = Math.min(queues.space, POLL_SIZE)
      const isFull = (await leaseSome(null, limit)) === POLL_SIZE
      const now = performance.now()
      next = isFull ? now : now + Math.max(POLL_EVERY_MS, 20 * (now - began))
    } catch (err) {
      log.warn({ err, component: 'webhooks' }, 'Dispatcher could not look for due deliveries; retrying')
    }
    // Earlier if notifications were lost in the meantime.
    pollAt = Math.min(pollAt, next)
    polling = null
    onWork()
  }

  return {
    /** When the next poll is due. */
    get pollAt() {
      return polling === null ? pollAt : Number.POSITIVE_INFINITY
    },
    pollNow(): void {
      pollAt = 0
    },
    /** A transaction committed deliveries. Null: notifications may have been lost. */
    notify(notification: string | null): void {
      if (notification === null) pollAt = 0
      const { webhookIds, to } = parseNotification(notification ?? '')
      if (to !== null && to !== dispatcherId) return
      const waiting = to === null ? notified : handedOver
      for (const webhookId of webhookIds) waiting.add(webhookId)
      onWork()
    },
    /** Notified queues that we hold become ready. Of the others we lease our share, and with each poll any that are due. */
    async lease(): Promise<void> {
      const given = takeAll(handedOver)
      if (given.length > 0) await accept(given)
      const own = takeAll(notified).filter((webhookId) => !queues.wake(webhookId) && sharing.isOwn(webhookId))
      if (own.length > 0) await leaseSome(own, queues.space)
      if (polling !== null || performance.now() < pollAt) return
      // Not during a poll: the queues that it leases are owned before they are held.
      await accept(null)
      polling = poll()
    },
    /** Resolves when no poll is running. */
    stopped: async (): Promise<void> => void (await polling),
  }
}

function takeAll(ids: Set<string>): string[] {
  const all = [...ids]
  ids.clear()
  return all
}
