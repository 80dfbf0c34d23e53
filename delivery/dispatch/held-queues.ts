import { MAX_IN_FLIGHT } from '../rules/due-deliveries.ts'
import type { LeasedQueue } from '../statements/lease-queues.ts'
import { capacityOf, type EndpointQueue, isIdle, newEndpointQueue } from './endpoint-queue.ts'
import { firstInTurn, shareOut } from './fair-shares.ts'

/** The limit of one process, over all queues. */
const MAX_REQUESTS_IN_FLIGHT = 4096
/**
 * Deliveries per claim. With 800, PostgreSQL and the sender waited for each other. With 200, the statement ran too often: it costs as
 * much as 20 deliveries.
 */
export const CLAIM_SIZE = 400
const MAX_QUEUES = 20_000
/** A queue with more pending deliveries waits for its requests in flight, at most this long, so that each claim takes many. */
const MAX_CLAIM_DELAY_MS = 50
/** A queue that sent nothing for this time does not count as busy. */
const BUSY_MS = 1_000
/** A queue marked for hand-over is kept if its requests take longer than this. */
const MAX_LEAVING_MS = 1_000
/** A queue without work is kept for this time: the next event then needs no lease. */
const KEEP_IDLE_MS = 2_000

export type HeldQueues = ReturnType<typeof createHeldQueues>

/** The endpoint queues that this process holds, and how busy they are. Each request needs one of `connections`. */
export function createHeldQueues(connections = MAX_REQUESTS_IN_FLIGHT) {
  const maxRequests = Math.min(MAX_REQUESTS_IN_FLIGHT, connections)
  const queues = new Map<string, EndpointQueue>()
  const ready = createReadyQueues()
  const inFlightByOrganisation = new Map<string, number>()
  /** Queues that are handed over when their requests have ended. */
  const leaving = new Map<EndpointQueue, { to: string; until: number }>()
  let inFlight = 0
  let ended = 0

  function drop(queue: EndpointQueue): void {
    ready.delete(queue)
    leaving.delete(queue)
    if (queues.get(queue.webhookId) === queue) queues.delete(queue.webhookId)
  }

  function markReady(queue: EndpointQueue): void {
    if (queues.get(queue.webhookId) === queue && !leaving.has(queue)) ready.add(queue)
  }

  /** Yields only as many queues of each organisation as one claim can take: looking at all of 10,000 took 6 % of the CPU time. */
  function* claimable(now: number) {
    for (const queues of ready.byOrganisation()) {
      let left = CLAIM_SIZE
      for (const queue of queues) {
        const capacity = capacityOf(queue)
        const isWaiting =
          queue.hasMore && capacity < MAX_IN_FLIGHT && now - queue.claimedAt < MAX_CLAIM_DELAY_MS
        if (capacity === 0 || isWaiting) continue
        yield { queue, organisationId: queue.organisationId, capacity }
        left -= capacity
        if (left <= 0) break
      }
    }
  }

  function adjustInFlight({ organisationId }: EndpointQueue, by: 1 | -1): void {
    inFlight += by
    const now = (inFlightByOrganisation.get(organisationId) ?? 0) + by
    if (now === 0) inFlightByOrganisation.delete(organisationId)
    else inFlightByOrganisation.set(organisationId, now)
  }

  return {
    get size() {
      return queues.size
    },
    get inFlight() {
      return inFlight
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
    hold(leased: LeasedQueue[]): void {
      for (const queue of leased.map(newEndpointQueue)) {
        queues.set(queue.webhookId, queue)
        ready.add(queue)
      }
    },
    /** For a queue that another dispatcher owns. */
    drop,
    /** For a queue that may have due deliveries. False: this process does not hold the queue. */
    wake(webhookId: string): boolean {
      const queue = queues.get(webhookId)
      if (queue) markReady(queue)
      return queue !== undefined
    },
    /** For a queue without due deliveries. */
    markDrained: ready.delete,
    /** For a queue that may have more due deliveries. */
    markReady,
    hasReady: () => Iterator.from(ready).some((queue) => capacityOf(queue) > 0),
    /** How many deliveries each queue can claim now. These queues then wait for all others. */
    takeShares(now: number): Map<EndpointQueue, number> {
      const claiming = firstInTurn([...claimable(now)], CLAIM_SIZE)
      for (const { queue } of claiming) ready.moveToEnd(queue)
      const shares = shareOut(claiming, maxRequests - inFlight, inFlightByOrganisation)
      return new Map([...shares].map(([{ queue }, slots]) => [queue, slots]))
    },
    /** Claims nothing more for some busy queues, which `takeLeft` returns when they have no request in flight. */
    beginLeaving(to: string, count: number, now: number): void {
      const chosen = queues.values().filter((queue) => isBusy(queue, now) && !leaving.has(queue))
      for (const queue of chosen.take(count).toArray()) {
        leaving.set(queue, { to, until: now + MAX_LEAVING_MS })
        ready.delete(queue)
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
          ready.add(queue)
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
        (queue) => isIdle(queue) && !ready.has(queue) && now - queue.activeAt > KEEP_IDLE_MS,
      )
      for (const queue of idle) drop(queue)
      return idle
    },
    /** Counts a request as in flight until `end`. */
    begin(queue: EndpointQueue, deliveryId: string): void {
      queue.inFlight.add(deliveryId)
      adjustInFlight(queue, 1)
    },
    end(queue: EndpointQueue, deliveryId: string): void {
      queue.inFlight.delete(deliveryId)
      ended++
      adjustInFlight(queue, -1)
    },
  }
}

const isBusy = ({ activeAt }: EndpointQueue, now: number): boolean => now - activeAt < BUSY_MS

/** Queues that may have due deliveries, in the order of claims: round robin over organisations, and over the queues of each. */
function createReadyQueues() {
  const byOrganisation = new Map<string, Set<EndpointQueue>>()
  return {
    add(queue: EndpointQueue): void {
      const queues = byOrganisation.get(queue.organisationId) ?? new Set()
      byOrganisation.set(queue.organisationId, queues.add(queue))
    },
    delete(queue: EndpointQueue): void {
      const queues = byOrganisation.get(queue.organisationId)
      queues?.delete(queue)
      if (queues?.size === 0) byOrganisation.delete(queue.organisationId)
    },
    has: (queue: EndpointQueue): boolean => byOrganisation.get(queue.organisationId)?.has(queue) ?? false,
    /** Called after a claim: moves the queue behind all other organisations, and behind the other queues of the same one. */
    moveToEnd(queue: EndpointQueue): void {
      const queues = byOrganisation.get(queue.organisationId)
      if (!queues?.delete(queue)) return
      byOrganisation.delete(queue.organisationId)
      byOrganisation.set(queue.organisationId, queues.add(queue))
    },
    byOrganisation: () => byOrganisation.values(),
    *[Symbol.iterator]() {
      for (const queues of byOrganisation.values()) yield* queues
    },
  }
}
