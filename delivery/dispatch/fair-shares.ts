/** A lane that could take more. */
export interface Hungry {
  organisationId: string
  /** Requests that it may start now. */
  room: number
}

/** The first of them that have room for `most` together. Organisations take turns, whatever the number of their lanes. */
export function firstInTurn<L extends Hungry>(lanes: L[], most: number): L[] {
  const queues = [...Map.groupBy(lanes, (lane) => lane.organisationId).values()]
  const first: L[] = []
  for (let turn = 0, left = most; left > 0 && first.length < lanes.length; turn++) {
    for (const lane of queues.flatMap((queue) => queue[turn] ?? [])) {
      if (left <= 0) break
      first.push(lane)
      left -= lane.room
    }
  }
  return first
}

/**
 * Divides the free slots of this process. An organisation may hold as many slots as are left free, so that one flood
 * takes half, two take a third each, and there is always room for the next one to come. Within that, organisations take
 * turns, and so do the lanes of each.
 */
export function shareOut<L extends Hungry>(
  lanes: L[],
  free: number,
  underWay: ReadonlyMap<string, number>,
): Map<L, number> {
  const wanted = lanes.reduce((sum, lane) => sum + lane.room, 0)
  const busiest = Math.max(0, ...underWay.values())
  // The common case: everybody gets everything, and the rule holds all the same.
  if (busiest + wanted <= free - wanted) return new Map(lanes.map((lane) => [lane, lane.room]))
  return takeTurns(lanes, free, new Map(underWay))
}

function takeTurns<L extends Hungry>(lanes: L[], free: number, held: Map<string, number>): Map<L, number> {
  const shares = new Map<L, number>()
  const queues = Map.groupBy(lanes, (lane) => lane.organisationId)
  let left = free
  while (queues.size > 0) {
    for (const [organisationId, queue] of queues) {
      const lane = queue.shift()
      const has = held.get(organisationId) ?? 0
      if (lane === undefined || has >= left) {
        queues.delete(organisationId)
        continue
      }
      const share = (shares.get(lane) ?? 0) + 1
      shares.set(lane, share)
      held.set(organisationId, has + 1)
      left -= 1
      if (share < lane.room) queue.push(lane)
    }
  }
  return shares
}
