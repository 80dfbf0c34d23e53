import { idFloor } from '../../platform/ids.ts'

/** A delivery that has not succeeded after this time ends as failed. */
export const LIFETIME_HOURS = 76
/** Rounded up, with room for clocks that disagree: the id of a delivery that is still pending is younger than this. */
const MAX_PENDING_DAYS = 4
/** Deliveries that expired while all workers were stopped are looked for this far back. */
const MAX_EXPIRED_DAYS = 10
const DAY_MS = 86_400_000

/** The lowest id of a pending delivery, as SQL. It lets PostgreSQL skip older partitions. */
export const FIRST_PENDING_ID = `uuid_floor(now() - interval '${MAX_PENDING_DAYS} days')`
/** The lowest id of a delivery that can have expired without having ended, as SQL. */
export const FIRST_EXPIRED_ID = `uuid_floor(now() - interval '${MAX_EXPIRED_DAYS} days')`
/** A webhook that was disabled before this has no pending deliveries from then. */
export const OLDEST_PENDING_AT = `now() - interval '${MAX_PENDING_DAYS} days'`

/** The same as values: a generic plan then skips partitions when it starts, and the ones of the coming days as well. */
export const pendingIds = (now = Date.now()) => ({
  firstId: idFloor(now - MAX_PENDING_DAYS * DAY_MS),
  endId: idFloor(now + DAY_MS),
})
/** For a statement that binds `pendingIds`. */
export const IN_PENDING_IDS = 'd.id >= :firstId and d.id < :endId'
