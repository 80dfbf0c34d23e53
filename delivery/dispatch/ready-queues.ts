import type { EndpointQueue } from './endpoint-queue.ts'

/** Queues that may have due deliveries, in the order of claims: round robin over organisations, and over the queues of each. */
export function createReadyQueues() {
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
    /** After a claim: behind all other organisations, and behind the other queues of the same one. */
    moveToEnd(queue: EndpointQueue): void {
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
