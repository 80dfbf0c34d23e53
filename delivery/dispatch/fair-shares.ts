/** A queue that can start more requests. */
export interface Claimant {
  organisationId: string
  /** Requests that it can start now. */
  capacity: number
}

/** The first queues whose capacity reaches `limit` together. Organisations take turns, whatever the number of their queues. */
export function firstInTurn<Q extends Claimant>(queues: Q[], limit: number): Q[] {
  const byOrganisation = [...Map.groupBy(queues, ({ organisationId }) => organisationId).values()]
  const first: Q[] = []
  for (let turn = 0, left = limit; left > 0 && first.length < queues.length; turn++) {
    for (const queue of byOrganisation.flatMap((own) => own[turn] ?? [])) {
      if (left <= 0) break
      first.push(queue)
      left -= queue.capacity
    }
  }
  return first
}

/**
 * Divides the free request slots of this process. An organisation can hold as many slots as are left free: one flood takes half,
 * two take a third each, and there is always capacity for the next organisation. Within that, organisations take turns, and
 * so do the queues of each.
 */
export function shareOut<Q extends Claimant>(
  queues: Q[],
  free: number,
  inFlight: ReadonlyMap<string, number>,
): Map<Q, number> {
  const wanted = queues.reduce((sum, { capacity }) => sum + capacity, 0)
  const busiest = Math.max(0, ...inFlight.values())
  // The common case: all queues get their full capacity without breaking the rule.
  if (busiest + wanted <= free - wanted) return new Map(queues.map((queue) => [queue, queue.capacity]))
  return takeTurns(queues, free, new Map(inFlight))
}

function takeTurns<Q extends Claimant>(queues: Q[], free: number, held: Map<string, number>): Map<Q, number> {
  const shares = new Map<Q, number>()
  const byOrganisation = Map.groupBy(queues, ({ organisationId }) => organisationId)
  let left = free
  while (byOrganisation.size > 0) {
    for (const [organisationId, waiting] of byOrganisation) {
      const queue = waiting.shift()
      const has = held.get(organisationId) ?? 0
      if (queue === undefined || has >= left) {
        byOrganisation.delete(organisationId)
        continue
      }
      const share = (shares.get(queue) ?? 0) + 1
      shares.set(queue, share)
      held.set(organisationId, has + 1)
      left -= 1
      if (share < queue.capacity) waiting.push(queue)
    }
  }
  return shares
}
