import type { Share } from '../statements/claim-deliveries.ts'
import { capacityOf, type EndpointQueue, isSupplied, prefetchOf } from './endpoint-queue.ts'
import { firstInTurn, shareOut } from './fair-shares.ts'

/** A queue with more pending deliveries waits for its requests in flight, at most this long, so that each claim takes many. */
const MAX_CLAIM_DELAY_MS = 50

interface Claimable {
  queue: EndpointQueue
  organisationId: string
  /** Requests that it can begin now. */
  capacity: number
  /** Deliveries that it can claim in advance. */
  prefetch: number
}

export type QueueGroup = ReturnType<typeof createQueueGroup>

/** Endpoint queues that share a number of request slots. */
export function createQueueGroup(maxRequests: number) {
  const ready = createReadyQueues()
  const inFlightByOrganisation = new Map<string, number>()
  let inFlight = 0

  /** Yields only as many queues of each organisation as one claim can take: looking at all of 10,000 took 6 % of the CPU time. */
  function* claimable(now: number, size: number): Iterable<Claimable> {
    for (const queues of ready.byOrganisation()) {
      let left = size
      for (const queue of queues) {
        const capacity = capacityOf(queue)
        const prefetch = prefetchOf(queue)
        if (queue.isClaiming || capacity + prefetch === 0 || isWaiting(queue, prefetch, now)) continue
        yield { queue, organisationId: queue.organisationId, capacity, prefetch }
        left -= Math.max(1, capacity)
        if (left <= 0) break
      }
    }
  }

  return {
    get inFlight() {
      return inFlight
    },
    get ready() {
      return ready.count
    },
    markReady: ready.add,
    markDrained: ready.delete,
    isReady: ready.has,
    hasReady: () => Iterator.from(ready).some((queue) => capacityOf(queue) > 0 || prefetchOf(queue) > 0),
    /** Whether a queue can begin another request without a claim: its organisation holds fewer slots than are free. */
    canContinue: ({ organisationId }: EndpointQueue): boolean =>
      (inFlightByOrganisation.get(organisationId) ?? 0) < maxRequests - inFlight,
    adjustInFlight({ organisationId }: EndpointQueue, by: number): void {
      inFlight += by
      const now = (inFlightByOrganisation.get(organisationId) ?? 0) + by
      if (now === 0) inFlightByOrganisation.delete(organisationId)
      else inFlightByOrganisation.set(organisationId, now)
    },
    /** How many of about `size` deliveries each queue can claim now. These queues then wait for all others. */
    takeShares(now: number, size: number, connections: number): Map<EndpointQueue, Share> {
      const free = Math.min(maxRequests - inFlight, connections)
      if (free <= 0) return new Map()
      const queues = [...claimable(now, size)]
      const claiming = firstInTurn(
        queues.filter(({ capacity }) => capacity > 0),
        size,
      )
      const slots = shareOut(claiming, free, inFlightByOrganisation)
      const shares = withPrefetch(queues, slots, size)
      for (const queue of shares.keys()) ready.moveToEnd(queue)
      return shares
    },
  }
}

/**
 * If the queues cannot begin as many requests as a claim can take, the rest is claimed in advance: a statement for few deliveries costs
 * nearly as much as one for many. Without enough slots, nothing is.
 */
function withPrefetch(
  queues: readonly Claimable[],
  slots: ReadonlyMap<Claimable, number>,
  size: number,
): Map<EndpointQueue, Share> {
  const shares = new Map<EndpointQueue, Share>()
  let left = size
  let isScarce = false
  for (const [{ queue, capacity }, count] of slots) {
    shares.set(queue, { slots: count, prefetch: 0 })
    left -= count
    isScarce ||= count < capacity
  }
  for (const { queue, prefetch: most } of isScarce ? [] : queues) {
    const prefetch = Math.min(most, left)
    if (prefetch <= 0) continue
    shares.set(queue, { slots: shares.get(queue)?.slots ?? 0, prefetch })
    left -= prefetch
  }
  return shares
}

function isWaiting(queue: EndpointQueue, prefetch: number, now: number): boolean {
  if (prefetch > 0) return isSupplied(queue)
  return queue.hasMore && queue.inFlight.size > 0 && now - queue.claimedAt < MAX_CLAIM_DELAY_MS
}

/** Queues that may have due deliveries, in the order of claims: round robin over organisations, and over the queues of each. */
function createReadyQueues() {
  const byOrganisation = new Map<string, Set<EndpointQueue>>()
  let count = 0
  return {
    get count() {
      return count
    },
    add(queue: EndpointQueue): void {
      const queues = byOrganisation.get(queue.organisationId) ?? new Set()
      if (!queues.has(queue)) count++
      byOrganisation.set(queue.organisationId, queues.add(queue))
    },
    delete(queue: EndpointQueue): void {
      const queues = byOrganisation.get(queue.organisationId)
      if (queues?.delete(queue)) count--
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
