import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import { prepared } from '../../../database/prepared-statements.ts'
import { isUuid } from '../../../platform/ids.ts'
import { invalidInput } from '../problems.ts'
import { moment } from '../schema.ts'

/**
 * The position of a reader in a feed: `<transaction>:<row id>`. Feeds are ordered by the transaction that wrote a row, and read
 * only below the oldest open transaction: a slow transaction commits rows that are older than those already read, and an order
 * by time or id would skip them.
 */
export type Position = string

/** Before every row of a feed. */
export const FEED_START: Position = '0:00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** A transaction's number as PostgreSQL writes it (64 bits, no leading zero, which it would read as octal), and an id. */
function isPosition(key: string): boolean {
  const [, xid, id] = /^([1-9]\d{0,19}):(.+)$/.exec(key) ?? []
  return xid !== undefined && BigInt(xid) < 2n ** 64n && isUuid(id)
}

/** Negative when `one` is first. */
export function comparePositions(one: Position, other: Position): number {
  const [xid, id] = partsOf(one)
  const [otherXid, otherId] = partsOf(other)
  // Without leading zeros the longer number is the larger.
  return xid.length - otherXid.length || compareText(xid, otherXid) || compareText(id, otherId)
}

export const laterPosition = (one: Position, other: Position): Position =>
  comparePositions(one, other) < 0 ? other : one

/** The transaction and the row id. */
export function partsOf(position: Position): [xid: string, id: string] {
  const colon = position.indexOf(':')
  return [position.slice(0, colon), position.slice(colon + 1)]
}

const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** The position at which a stream resumes: the last event of the client, or a cursor of the list. */
export const positionOf = (lastEventId: string | undefined): Position | null =>
  requirePosition('Last-Event-ID', lastEventId, 'must be an event id of this stream or a cursor of its list')

/** The position at which a list continues: its `next_cursor`, the `position` of a record, or an event id of the stream. */
export const positionOfCursor = (cursor: string | undefined): Position | null =>
  requirePosition('cursor', cursor, 'must be a next_cursor or a position of this feed')

/** Lists once encoded positions as base64url; clients can still have such a cursor, and send it to a stream. */
function requirePosition(path: string, text: string | undefined, message: string): Position | null {
  if (text === undefined) return null
  const position = [text, Buffer.from(text, 'base64url').toString()].find(isPosition)
  if (position === undefined) throw invalidInput({ path, message })
  return position.toLowerCase()
}

/** The same query parameter for every feed. It only filters, so that it can stay in the URL while the cursor changes. */
export const sinceQuery = moment
  .optional()
  .describe('Only records at this time or later, in ISO 8601; can be combined with a cursor or Last-Event-ID')

export const positionField = z
  .string()
  .describe(
    'Position in the feed, which never changes. Can be sent as `cursor` of the list or as `Last-Event-ID` of the stream',
  )

/** A page of a growing feed: there is no last page, so that `next_cursor` is never null. */
export const feedPageOf = <S extends z.ZodType>(record: S) =>
  z.object({
    data: z.array(record),
    next_cursor: z
      .string()
      .describe(
        'Cursor of the next page; never null, even at the end or for an empty feed. A page with fewer records than `limit` is the last for now: poll again with this cursor to miss none',
      ),
  })

/** Transactions below `xmin` have ended; those from `xmax` on had not begun when the snapshot was taken. */
export interface Horizon {
  xmin: bigint
  xmax: bigint
}

/** All rows up to here are visible. */
export const certainUpTo = ({ xmin }: Horizon): Position => `${xmin - 1n}:${LAST_ID}`

export async function readHorizon(db: Db): Promise<Horizon> {
  const { rows } = await sql<SnapshotColumns>`${prepared}
    select pg_snapshot_xmin(s)::text as snapshot_xmin, pg_snapshot_xmax(s)::text as snapshot_xmax
    from pg_current_snapshot() as s`.execute(db)
  return horizonOf(rows[0])
}

/** The end of the rows that are certain. */
export const presentPosition = async (db: Db): Promise<Position> => certainUpTo(await readHorizon(db))

interface SnapshotColumns {
  snapshot_xmin: string
  snapshot_xmax: string
}

function horizonOf(row: SnapshotColumns | undefined): Horizon {
  if (!row) throw new Error('PostgreSQL returned no snapshot')
  return { xmin: BigInt(row.snapshot_xmin), xmax: BigInt(row.snapshot_xmax) }
}

export interface FeedPage<T> {
  items: T[]
  /** Every matching row up to here is in this page or an earlier one. */
  end: Position
  /** Whether more rows can be read now. */
  isFull: boolean
  horizon: Horizon
}

/**
 * One page of a feed. `rows` selects from the feed's table where `xid < snapshot.xmin`, ordered by `(feed_xid, id)` and
 * limited, with the columns `feed_xid` and `position`. The snapshot comes from the same statement, so that an empty page also
 * has a certain end.
 */
export async function readFeedPage<Row extends { position: Position }>(
  db: Db,
  limit: number,
  rows: RawBuilder<Row>,
): Promise<FeedPage<Row>> {
  const result = await sql<Row & SnapshotColumns>`${prepared}
    with snapshot as (
      select pg_snapshot_xmin(s) as xmin, pg_snapshot_xmax(s) as xmax from pg_current_snapshot() as s
    )
    select snapshot.xmin::text as snapshot_xmin, snapshot.xmax::text as snapshot_xmax, item.*
    from snapshot left join lateral (${rows}) as item on true
    order by item.feed_xid, item.id`.execute(db)
  const horizon = horizonOf(result.rows[0])
  const items = result.rows.filter(({ position }) => position !== null)
  const last = items.at(-1)
  const isFull = items.length >= limit
  return { items, isFull, horizon, end: isFull && last ? last.position : certainUpTo(horizon) }
}
