import type { Share } from '../statements/claim-deliveries.ts'
import type { LeasedQueue } from '../statements/lease-queues.ts'
import {
  capacityOf,
  type EndpointQueue,
  isIdle,
  newEndpointQueue,
  noteRequestTime,
  type Pace,
  type PrefetchedDelivery,
} from './endpoint-queue.ts'
import { createQueueGroup, type QueueGroup } from './queue-group.ts'

/** The limit of one process, over all quick queues, and over all slow ones. */
const MAX_REQUESTS_IN_FLIGHT = 4096
/**
 * Over those that fail. Most of them hang until their time-out, so that a slot is free again after 15 seconds, and each attempt opens a
 * connection.
 */
const MAX_FAILING_IN_FLIGHT = 1024
/**
 * Deliveries per claim. With 800, PostgreSQL and the sender waited for each other. With 200, the statement ran too often: it costs as
 * much as 20 deliveries.
 */
export const CLAIM_SIZE = 400
/** The least that is left of a claim for slow queues, and for failing ones. */
const SLOW_CLAIM_SIZE = 25
const MAX_QUEUES = 20_000
/** A response that takes longer to begin is slow. A request without one for this time hangs. */
const SLOW_MS = 1_000
/** How often the held queues are searched for those whose requests hang. */
const SEARCH_EVERY_MS = 100
/** A queue that sent nothing for this time does not count as busy. */
const BUSY_MS = 1_000
/** A queue marked for hand-over is kept if its requests take longer than this. */
const MAX_LEAVING_MS = 1_000
/** Of all queues together, because their bodies are in memory. */
const MAX_PREFETCHED = 1_000
/** Prefetched deliveries that were not sent in this time are claimed again: their webhook may have changed. */
const MAX_PREFETCHED_MS = 250
/** A queue without work is kept for this time: the next event then needs no lease. */
const KEEP_IDLE_MS = 2_000

export type HeldQueues = ReturnType<typeof createHeldQueues>

/**
 * The endpoint queues that this process holds, and how busy they are. Each request needs one of `connections`. Slow queues share slots
 * of their own, and so do failing ones: otherwise thousands of webhooks whose receivers hang would hold all slots for the 15 seconds until
 * their time-out.
 */
export function createHeldQueues(connections = 2 * MAX_REQUESTS_IN_FLIGHT) {
  const queues = new Map<string, EndpointQueue>()
  const quick = createQueueGroup(Math.min(MAX_REQUESTS_IN_FLIGHT, connections))
  const slow = createQueueGroup(Math.min(MAX_REQUESTS_IN_FLIGHT, Math.floor(connections / 2)))
  const failing = createQueueGroup(Math.min(MAX_FAILING_IN_FLIGHT, Math.floor(connections / 4)))
  const groups: Record<Pace, QueueGroup> = { quick, slow, failing }
  /** Queues that are handed over when their requests have ended. */
  const leaving = new Map<EndpointQueue, { to: string; until: number }>()
  let ended = 0
  let prefetched = 0
  let isStopping = false
  let searchAt = 0

  const groupOf = ({ pace }: EndpointQueue): QueueGroup => groups[pace]
  const countInFlight = (): number => quick.inFlight + slow.inFlight + failing.inFlight
  const isReady = (queue: EndpointQueue): boolean => groupOf(queue).isReady(queue)
  /** This process holds the queue and does not hand it over. */
  const isKept = (queue: EndpointQueue): boolean =>
    queues.get(queue.webhookId) === queue && !leaving.has(queue)
  const markDrained = (queue: EndpointQueue): void => groupOf(queue).markDrained(queue)

  function drop(queue: EndpointQueue): void {
    discardPrefetched(queue)
    markDrained(queue)
    leaving.delete(queue)
    if (queues.get(queue.webhookId) === queue) queues.delete(queue.webhookId)
  }

  function markReady(queue: EndpointQueue): void {
    if (isKept(queue)) groupOf(queue).markReady(queue)
  }

  /** They are still pending, and will be claimed again. */
  function discardPrefetched(queue: EndpointQueue): void {
    if (queue.prefetched.length === 0) return
    prefetched -= queue.prefetched.length
    queue.prefetched = []
    queue.prefetch = 0
    queue.hasMore = true
    // A claim that is running leaves them out.
    queue.isWoken = queue.isClaiming
    markReady(queue)
  }

  const canSend = (queue: EndpointQueue, { claimedAt }: PrefetchedDelivery, now: number): boolean =>
    !isStopping && isKept(queue) && now - claimedAt < MAX_PREFETCHED_MS && groupOf(queue).canContinue(queue)

  /** Sends prefetched deliveries of the queue while it has free slots. */
  function sendPrefetched(queue: EndpointQueue, now: number): void {
    while (queue.prefetched.length > 0 && capacityOf(queue) > 0) {
      const [next] = queue.prefetched
      if (!next || !canSend(queue, next, now)) {
        discardPrefetched(queue)
        return
      }
      queue.prefetched.shift()
      prefetched--
      next.send()
    }
  }

  /** Its requests in flight move, too: those that hang then hold no slots of the quick queues. */
  function setPace(queue: EndpointQueue, pace: Pace): void {
    if (queue.pace === pace) return
    if (pace !== 'quick') discardPrefetched(queue)
    const wasReady = isReady(queue)
    markDrained(queue)
    groupOf(queue).adjustInFlight(queue, -queue.inFlight.size)
    queue.pace = pace
    groupOf(queue).adjustInFlight(queue, queue.inFlight.size)
    if (wasReady) markReady(queue)
  }

  function searchForHanging(now: number): void {
    if (now < searchAt) return
    searchAt = now + SEARCH_EVERY_MS
    for (const queue of queues.values())
      if (queue.pace === 'quick' && queue.inFlight.size > 0 && now - queue.activeAt > SLOW_MS)
        setPace(queue, queue.isHealthy ? 'slow' : 'failing')
  }

  return {
    get size() {
      return queues.size
    },
    get inFlight() {
      return countInFlight()
    },
    /** Those of them that belong to slow and failing queues. */
    get slowInFlight() {
      return slow.inFlight + failing.inFlight
    },
    /** Requests that have ended since the start. */
    get ended() {
      return ended
    },
    countBusy: (now: number): number =>
      queues.values().reduce((sum, queue) => sum + (isBusy(queue, now) ? 1 : 0), 0),
    ids: () => [...queues.keys()],
    /** How many more queues can be held. */
    get space() {
      return MAX_QUEUES - queues.size
    },
    /** A poll that ends late can return an older lease than the one held. */
    hold(leased: LeasedQueue[]): void {
      for (const queue of leased.map(newEndpointQueue)) {
        const known = queues.get(queue.webhookId)
        if (known && known.fence >= queue.fence) continue
        if (known) drop(known)
        queues.set(queue.webhookId, queue)
        markReady(queue)
      }
    },
    /** For a queue that another dispatcher owns. */
    drop,
    /** For a queue that may have due deliveries. False: this process does not hold the queue. */
    wake(webhookId: string): boolean {
      const queue = queues.get(webhookId)
      if (queue === undefined) return false
      markReady(queue)
      queue.isWoken = queue.isClaiming
      return true
    },
    /** For a queue without due deliveries. */
    markDrained,
    /** For a queue that may have more due deliveries. */
    markReady,
    /** Queues that probably have due deliveries. */
    countReady: () => quick.ready + slow.ready + failing.ready,
    hasReady: () => quick.hasReady() || slow.hasReady() || failing.hasReady(),
    /** How many deliveries each queue can claim now. */
    takeShares(now: number): Map<EndpointQueue, Share> {
      searchForHanging(now)
      const free = connections - countInFlight()
      const shares = quick.takeShares(now, CLAIM_SIZE, free)
      limitPrefetch(shares, MAX_PREFETCHED - prefetched)
      for (const group of [slow, failing]) {
        const taken = sizeOf(shares)
        const size = Math.max(SLOW_CLAIM_SIZE, CLAIM_SIZE - taken)
        for (const [queue, share] of group.takeShares(now, size, free - taken)) shares.set(queue, share)
      }
      return shares
    },
    /** Until `endClaim`, these queues are not in another claim, and are not handed over. */
    beginClaim(claiming: Iterable<EndpointQueue>): void {
      for (const queue of claiming) queue.isClaiming = true
    },
    endClaim(claiming: Iterable<EndpointQueue>): void {
      for (const queue of claiming) {
        queue.isClaiming = false
        if (queue.isWoken) markReady(queue)
        queue.isWoken = false
      }
    },
    /** For the result of a claim: deliveries of the queue that are sent now, as far as it has slots, or soon. */
    prefetch(queue: EndpointQueue, deliveries: PrefetchedDelivery[], now: number): void {
      queue.prefetched.push(...deliveries)
      prefetched += deliveries.length
      sendPrefetched(queue, now)
      // No request is left whose end would send them.
      if (queue.inFlight.size === 0) discardPrefetched(queue)
    },
    /** From now on, queues send what they have claimed, and nothing that was prefetched. */
    stopPrefetching(): void {
      isStopping = true
      for (const queue of queues.values()) discardPrefetched(queue)
    },
    /** Claims nothing more for some busy queues, which `takeLeft` returns when they have no request in flight. */
    beginLeaving(to: string, count: number, now: number): void {
      const chosen = queues.values().filter((queue) => isBusy(queue, now) && !leaving.has(queue))
      for (const queue of chosen.take(count).toArray()) {
        discardPrefetched(queue)
        leaving.set(queue, { to, until: now + MAX_LEAVING_MS })
        markDrained(queue)
      }
    },
    get hasLeaving() {
      return leaving.size > 0
    },
    /** Removes and returns queues to hand over, by their next owner. Queues whose requests take too long stay. */
    takeLeft(now: number): Map<string, EndpointQueue[]> {
      const left = new Map<string, EndpointQueue[]>()
      for (const [queue, { to, until }] of leaving) {
        if (isIdle(queue)) {
          drop(queue)
          left.set(to, [...(left.get(to) ?? []), queue])
        } else if (now > until) {
          leaving.delete(queue)
          markReady(queue)
        }
      }
      return left
    },
    /** Removes and returns all queues that have no request in flight. */
    takeAllIdle(): EndpointQueue[] {
      const idle = [...queues.values()].filter(isIdle)
      for (const queue of idle) drop(queue)
      return idle
    },
    /** Removes and returns the queues that have been idle for a while. */
    takeIdle(now: number): EndpointQueue[] {
      const idle = [...queues.values()].filter(
        (queue) => isIdle(queue) && !isReady(queue) && now - queue.activeAt > KEEP_IDLE_MS,
      )
      for (const queue of idle) drop(queue)
      return idle
    },
    /** Counts a request as in flight until `end`. */
    begin(queue: EndpointQueue, deliveryId: string): void {
      queue.inFlight.add(deliveryId)
      groupOf(queue).adjustInFlight(queue, 1)
    },
    /** Null: the request was not made, or aborted. */
    end(queue: EndpointQueue, deliveryId: string, result: RequestResult | null): void {
      queue.inFlight.delete(deliveryId)
      groupOf(queue).adjustInFlight(queue, -1)
      ended++
      if (result === null) {
        discardPrefetched(queue)
        return
      }
      const now = performance.now()
      const { firstByteMs, totalMs } = result.timings
      queue.activeAt = now
      queue.isHealthy = result.success
      noteRequestTime(queue, totalMs)
      const isQuick = (firstByteMs ?? totalMs) <= SLOW_MS
      setPace(queue, isQuick ? 'quick' : result.success ? 'slow' : 'failing')
      if (result.success) sendPrefetched(queue, now)
      else discardPrefetched(queue)
    },
  }
}

export const sizeOf = (shares: ReadonlyMap<unknown, Share>): number =>
  shares.values().reduce((sum, { slots, prefetch }) => sum + slots + prefetch, 0)

function limitPrefetch(shares: ReadonlyMap<EndpointQueue, Share>, limit: number): void {
  let left = Math.max(0, limit)
  for (const share of shares.values()) {
    share.prefetch = Math.min(share.prefetch, left)
    left -= share.prefetch
  }
}

interface RequestResult {
  success: boolean
  timings: { firstByteMs: number | null; totalMs: number }
}

const isBusy = ({ activeAt }: EndpointQueue, now: number): boolean => now - activeAt < BUSY_MS
