import { sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import type { SpeakerNames } from '../../../database/tables.ts'
import { comparePositions, type FeedPage, partsOf, readFeedPage } from '../../api/feed/feed.ts'
import type { FeedSelection } from '../../api/feed/feed-hub.ts'
import type { FeedItem } from '../../api/feed/feed-window.ts'
import { placedChunks } from '../transcript/load-transcript.ts'
import { toSegment } from './find-segments.ts'
import type { StoredSegment } from './segment-fields.ts'

interface FeedRow extends StoredSegment {
  position: string
  changed_at: string
  conversation_id: string
  speakers: SpeakerNames | null
  /** Null for a removed segment, as all other fields but its id. */
  chunk_seq: number | null
  edited_by: string | null
}

/**
 * Segments in the order of their last change. A change of a segment also changes its conversation, in the same transaction or a
 * later one: so conversations that have not changed need not be searched.
 */
export async function readSegmentFeed(
  db: Db,
  { projectId, after, since }: FeedSelection,
  limit: number,
): Promise<FeedPage<FeedItem>> {
  const [xid, id] = partsOf(after)
  const isNew = sql`s.changed < snapshot.xmin and (s.changed, s.id) > (${xid}::text::xid8, ${id}::uuid)
          and s.changed > '0'::xid8 and s.changed_at >= ${since ?? '-infinity'}::timestamptz`
  const page = await readFeedPage(
    db,
    limit,
    sql<FeedRow>`
      select feed.*, feed_xid::text || ':' || feed.id as position,
        k.text as corrected, k.edited_by, k.edited_at
      from (
        select c.id as conversation_id, c.speakers, s.*
        from conversations c cross join lateral (
          select s.changed as feed_xid, s.id, s.changed_at, s.chunk_seq, s.start_ms, s.end_ms, s.text, s.speaker, s.language,
            s.confidence
          from segments s where s.conversation_id = c.id and ${isNew}
          union all
          select s.changed, s.id, s.changed_at, null, null, null, null, null, null, null
          from removed_segments s where s.conversation_id = c.id and ${isNew}
        ) s
        where c.project_id = ${projectId} and c.changed >= ${xid}::text::xid8 and c.deleted_at is null
        order by s.feed_xid, s.id
        limit ${limit}
      ) feed
      left join segment_corrections k on k.segment_id = feed.id`,
  )
  const starts = await chunkStarts(db, page.items)
  return { ...page, items: page.items.map((row) => toItem(row, starts)) }
}

function toItem(row: FeedRow, starts: Map<string, number>): FeedItem {
  const { id, position, conversation_id, changed_at: at, chunk_seq } = row
  const item = { position, type: 'segment', at }
  if (chunk_seq === null)
    return { ...item, data: JSON.stringify({ id, conversation_id, position, deleted: true }) }
  const chunkStart = starts.get(keyOf(conversation_id, chunk_seq)) ?? 0
  const segment = toSegment(
    { ...row, start_ms: row.start_ms + chunkStart, end_ms: row.end_ms + chunkStart },
    row.speakers ?? {},
  )
  return { ...item, data: JSON.stringify({ ...segment, conversation_id, position, deleted: false }) }
}

const keyOf = (conversationId: string, seq: number): string => `${conversationId}:${seq}`

/** The start of the chunks of these segments within their conversations, in milliseconds. */
async function chunkStarts(db: Db, rows: readonly FeedRow[]): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map()
  const ids = [...new Set(rows.map(({ conversation_id }) => conversation_id))]
  const placed = await sql<{ conversation_id: string; seq: number; start_ms: number }>`
    with ${placedChunks(ids)} select conversation_id, seq, start_ms from placed`.execute(db)
  return new Map(placed.rows.map((row) => [keyOf(row.conversation_id, row.seq), row.start_ms]))
}

/** One page of two feeds in their common order. Items after the end of the shorter page are left for the next one. */
export function mergePages(one: FeedPage<FeedItem>, other: FeedPage<FeedItem>): FeedPage<FeedItem> {
  const [first, second] = comparePositions(one.end, other.end) <= 0 ? [one, other] : [other, one]
  const { end, horizon } = first
  const all = [...one.items, ...other.items]
  const items = all
    .filter(({ position }) => comparePositions(position, end) <= 0)
    .sort((a, b) => comparePositions(a.position, b.position))
  return { items, end, horizon, isFull: first.isFull || second.isFull || items.length < all.length }
}
