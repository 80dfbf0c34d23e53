import type { EndpointQueue } from './endpoint-queue.ts'

/** Queues that may have due deliveries, in the order of claims: round robin over organisations, and over the queues of each. */
export interface ReadyQueues extends Iterable<EndpointQueue> {
  add(queue: EndpointQueue): void
  delete(queue: EndpointQueue): void
  has(queue: EndpointQueue): boolean
  /** After a claim: behind all other organisations, and behind all other queues of its own. */
  moveToEnd(queue: EndpointQueue): void
}

export function createReadyQueues(): ReadyQueues {
  const byOrganisation = new Map<string, Set<EndpointQueue>>()
  return {
    add(queue) {
      const queues = byOrganisation.get(queue.organisationId) ?? new Set()
      byOrganisation.set(queue.organisationId, queues.add(queue))
    },
    delete(queue) {
      const queues = byOrganisation.get(queue.organisationId)
      queues?.delete(queue)
      if (queues?.size === 0) byOrganisation.delete(queue.organisationId)
    },
    has: (queue) => byOrganisation.get(queue.organisationId)?.has(queue) ?? false,
    moveToEnd(queue) {
      const queues = byOrganisation.get(queue.organisationId)
      if (!queues?.delete(queue)) return
      byOrganisation.delete(queue.organisationId)
      byOrganisation.set(queue.organisationId, queues.add(queue))
    },
    *[Symbol.iterator]() {
      for (const queues of byOrganisation.values()) yield* queues
    },
  }
}
