import { hash } from 'node:crypto'

/** The load that a dispatcher publishes, from which each of them computes how many endpoint queues it should hold. */
export interface DispatcherLoad {
  id: string
  /** Endpoint queues that it holds and that sent a request a moment ago. */
  busyQueues: number
  /** Its capacity. Null: it is not fully used, so it could send more. */
  requestsPerSecond: number | null
}

/** Webhooks are divided into slots by the last byte of their id, which is random. */
const SLOTS = 256
export const slotOf = (webhookId: string): number => Number.parseInt(webhookId.slice(-2), 16)
/** The same for a row `q` of `endpoint_queues`. */
export const SLOT_OF_QUEUE = 'get_byte(uuid_send(q.webhook_id), 15)'

/**
 * The dispatcher to which a slot belongs: the one with the highest hash, so that one that joins or leaves changes no slots among the
 * others. At least one must be living.
 */
export function dispatcherOf(slot: number, living: readonly string[]): string {
  const rank = (id: string): string => hash('sha1', `${id} ${slot}`)
  return living.reduce((first, id) => (rank(id) > rank(first) ? id : first))
}

/** The slots of a dispatcher: it leases the queues in them that have no owner. */
export const slotsOf = (dispatcherId: string, others: readonly string[]): number[] =>
  Array.from({ length: SLOTS }, (_, slot) => slot).filter(
    (slot) => dispatcherOf(slot, [dispatcherId, ...others]) === dispatcherId,
  )

/** Moving queues for a smaller difference would cost more than it gains. */
const TOLERANCE = 0.15

/**
 * How many busy queues a dispatcher gives to each of the others. The goal is a number of busy queues in proportion to what each
 * dispatcher can send: a slow one gets fewer. All dispatchers compute this from the same figures, so that those with too many fill up
 * those with too few together.
 */
export function queuesToGive(own: DispatcherLoad, others: readonly DispatcherLoad[]): Map<string, number> {
  const all = [own, ...others]
  const known = all.flatMap(({ requestsPerSecond }) => requestsPerSecond ?? [])
  const average = known.reduce((sum, rate) => sum + rate, 0) / known.length
  const rateOf = ({ requestsPerSecond }: DispatcherLoad): number => requestsPerSecond ?? (average || 1)
  const rates = all.reduce((sum, each) => sum + rateOf(each), 0)
  const queues = all.reduce((sum, { busyQueues }) => sum + busyQueues, 0)
  const missing = (each: DispatcherLoad): number => (queues * rateOf(each)) / rates - each.busyQueues
  const surplus = -missing(own)
  if (!(surplus >= 1 && surplus > TOLERANCE * own.busyQueues)) return new Map()
  const takers = others.filter((other) => missing(other) > 0)
  const wanted = takers.reduce((sum, taker) => sum + missing(taker), 0)
  return divide(Math.floor(surplus), new Map(takers.map((taker) => [taker.id, missing(taker) / wanted])))
}

/** Whole numbers with the given sum, as near to the shares as possible. */
function divide(count: number, shares: ReadonlyMap<string, number>): Map<string, number> {
  const parts = new Map<string, number>()
  let exact = 0
  let given = 0
  for (const [id, share] of shares) {
    exact += count * share
    const part = Math.round(exact) - given
    given += part
    if (part > 0) parts.set(id, part)
  }
  return parts
}
