import { sql } from 'kysely'
import { createBell } from './bell.ts'
import type { Db } from './database.ts'
import type { EventStream } from './event-stream.ts'
import { isUuid } from './ids.ts'
import { invalidInput } from './problems.ts'

/**
 * Where a reader is in a feed: `<transaction>:<row id>`. Feeds are ordered by the transaction that wrote a row, and read only
 * below the oldest one that is still open: a slow transaction commits rows that are older than those already read, and an
 * order by time or id would skip them for ever.
 */
export type Position = string

/** A transaction's number as PostgreSQL writes it (64 bits, no leading zero, which it would read as octal), and an id. */
export function isPosition(key: string): boolean {
  const [, xid, id] = /^([1-9]\d{0,19}):(.+)$/.exec(key) ?? []
  return xid !== undefined && BigInt(xid) < 2n ** 64n && isUuid(id)
}

/** Where a stream resumes: the position that the client saw last. */
export function positionOf(lastEventId: string | undefined): Position | null {
  if (lastEventId === undefined) return null
  if (!isPosition(lastEventId))
    throw invalidInput({ path: 'Last-Event-ID', message: 'is not an id of this stream' })
  return lastEventId
}

/** Just before whatever is not certain yet. */
export async function presentPosition(db: Db): Promise<Position> {
  const { rows } = await sql<{ xid: string }>`
    select (pg_snapshot_xmin(pg_current_snapshot())::text::numeric - 1)::text as xid`.execute(db)
  return `${rows[0]?.xid}:ffffffff-ffff-ffff-ffff-ffffffffffff`
}

export interface FeedItem {
  position: Position
  type: string
  data: string
}

/** A row may have to wait for somebody else's transaction, whose end wakes nobody. */
const LOOK_EVERY_MS = 1_000

/** Sends what comes after a position, and what comes then, until the stream ends. */
export async function followFeed(
  stream: EventStream,
  from: Position,
  readAfter: (position: Position) => Promise<FeedItem[]>,
  /** Rings when there may be news; answers with how to stop listening. */
  listen: (ring: () => void) => () => void,
): Promise<void> {
  const bell = createBell()
  const unsubscribe = listen(bell.ring)
  stream.signal.addEventListener('abort', bell.ring)
  let after = from
  try {
    while (!stream.signal.aborted) {
      const items = await readAfter(after)
      for (const { position, type, data } of items) {
        await stream.send({ id: position, type, data })
        after = position
      }
      if (items.length === 0) await bell.wait(LOOK_EVERY_MS)
    }
  } finally {
    unsubscribe()
  }
}
