import type { Lane } from './endpoint-queue.ts'

/** Lanes that may have something to send, in the order in which they are asked: organisations in turn, and the lanes of each. */
export interface HungryLanes extends Iterable<Lane> {
  add(lane: Lane): void
  delete(lane: Lane): void
  has(lane: Lane): boolean
  /** It was asked: so are all others before it is asked again, and all other organisations before its own. */
  moveToEnd(lane: Lane): void
}

export function createHungryLanes(): HungryLanes {
  const byOrganisation = new Map<string, Set<Lane>>()

  function add(lane: Lane): void {
    const lanes = byOrganisation.get(lane.organisationId) ?? new Set()
    byOrganisation.set(lane.organisationId, lanes.add(lane))
  }

  function remove(lane: Lane): void {
    const lanes = byOrganisation.get(lane.organisationId)
    lanes?.delete(lane)
    if (lanes?.size === 0) byOrganisation.delete(lane.organisationId)
  }

  return {
    add,
    delete: remove,
    has: (lane) => byOrganisation.get(lane.organisationId)?.has(lane) ?? false,
    moveToEnd(lane) {
      const lanes = byOrganisation.get(lane.organisationId)
      if (!lanes?.delete(lane)) return
      byOrganisation.delete(lane.organisationId)
      byOrganisation.set(lane.organisationId, lanes.add(lane))
    },
    *[Symbol.iterator]() {
      for (const lanes of byOrganisation.values()) yield* lanes
    },
  }
}
