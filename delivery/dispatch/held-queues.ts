import { holdLane, isIdle, LANE_SLOTS, type Lane, roomOf } from './endpoint-queue.ts'
import { firstInTurn, shareOut } from './fair-shares.ts'
import type { LeasedLane } from '../statements/lease-queues.ts'
import { createHungryLanes } from './ready-queues.ts'

/** Requests under way in this process at most, over all lanes. */
const SLOTS = 4096
/**
 * Deliveries of one claim, about: with 800 at once PostgreSQL waited while they were sent, and the sender while they were
 * claimed; with 200 the statement itself, which costs as much as 20 deliveries, came too often.
 */
const CLAIM = 400
/** Lanes held at most. */
const LANES = 5000
/** A lane with a backlog waits until all its slots are free, so that a claim takes many deliveries; but no longer than this. */
const PATIENCE_MS = 50
/** A lane without work is kept for so long: the next event then needs one statement less. */
const KEEP_IDLE_MS = 2_000

/** The lanes that this process holds, and how busy they are. */
export interface HeldLanes {
  readonly size: number
  readonly underWay: number
  ids(): string[]
  /** How many more may be held. */
  readonly space: number
  hold(leased: LeasedLane[]): void
  /** Not ours any more. */
  drop(lane: Lane): void
  /** There may be something due: true when the lane is held here, so that it is looked at anew. */
  rouse(webhookId: string): boolean
  /** It has nothing more to send for now. */
  feed(lane: Lane): void
  /** It may have more to send. */
  starve(lane: Lane): void
  /** Whether a lane waits that could take something. */
  hasHungry(): boolean
  /** Who may take how many deliveries now. */
  shares(now: number): Map<Lane, number>
  /** Takes lanes out that have had nothing to do for a while. */
  takeIdle(now: number): Lane[]
  /** A request began or ended. */
  count(lane: Lane, by: 1 | -1): void
}

/** `connections` are those that the process can have open: each request needs one. */
export function createHeldLanes(connections = SLOTS): HeldLanes {
  const slots = Math.min(SLOTS, connections)
  const lanes = new Map<string, Lane>()
  const hungry = createHungryLanes()
  const underWayOf = new Map<string, number>()
  let underWay = 0

  function drop(lane: Lane): void {
    hungry.delete(lane)
    if (lanes.get(lane.webhookId) === lane) lanes.delete(lane.webhookId)
  }

  function* ready(now: number): Generator<{ lane: Lane; organisationId: string; room: number }> {
    for (const lane of hungry) {
      const room = roomOf(lane)
      const waits = lane.backlog && room < LANE_SLOTS && now - lane.claimedAt < PATIENCE_MS
      if (room > 0 && !waits) yield { lane, organisationId: lane.organisationId, room }
    }
  }

  return {
    get size() {
      return lanes.size
    },
    get underWay() {
      return underWay
    },
    ids: () => [...lanes.keys()],
    get space() {
      return LANES - lanes.size
    },
    hold(leased) {
      for (const each of leased) {
        const lane = holdLane(each)
        lanes.set(lane.webhookId, lane)
        hungry.add(lane)
      }
    },
    drop,
    rouse(webhookId) {
      const lane = lanes.get(webhookId)
      if (lane) hungry.add(lane)
      return lane !== undefined
    },
    feed: hungry.delete,
    starve: (lane) => {
      if (lanes.get(lane.webhookId) === lane) hungry.add(lane)
    },
    hasHungry: () => Iterator.from(hungry).some((lane) => roomOf(lane) > 0),
    shares(now) {
      const asked = firstInTurn([...ready(now)], CLAIM)
      for (const { lane } of asked) hungry.moveToEnd(lane)
      const shares = shareOut(asked, slots - underWay, underWayOf)
      return new Map([...shares].map(([{ lane }, slots]) => [lane, slots]))
    },
    takeIdle(now) {
      const idle = [...lanes.values()].filter(
        (lane) => isIdle(lane) && !hungry.has(lane) && now - lane.activeAt > KEEP_IDLE_MS,
      )
      for (const lane of idle) drop(lane)
      return idle
    },
    count(lane, by) {
      underWay += by
      const now = (underWayOf.get(lane.organisationId) ?? 0) + by
      if (now === 0) underWayOf.delete(lane.organisationId)
      else underWayOf.set(lane.organisationId, now)
    },
  }
}
