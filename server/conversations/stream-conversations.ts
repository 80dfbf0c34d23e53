import { sql } from 'kysely'
import type { Context } from '../access/index.ts'
import type { Db } from '../kernel/database.ts'
import type { EventStream } from '../kernel/event-stream.ts'
import { type FeedItem, followFeed, type Position, positionOf, presentPosition } from '../kernel/feed.ts'
import type { WakeUps } from '../kernel/wake-ups.ts'
import { noteStaffReading } from '../tenancy/index.ts'
import { listenTo } from '../webhooks/index.ts'
import type { ConversationAccess } from './find-conversation.ts'
import type { ConversationRow } from './payload.ts'

const BATCH = 100

/** Each conversation as it is whenever it changes: states, titles and lengths, but nothing that was said. */
export async function streamConversations(
  context: Context<ConversationAccess>,
  lastEventId: string | undefined,
  wakeUps: WakeUps,
): Promise<(stream: EventStream) => Promise<void>> {
  const { db, target } = context
  await noteStaffReading(context, 'conversation.stream', { kind: 'project', id: target.id })
  const from = positionOf(lastEventId) ?? (await presentPosition(db))
  const readAfter = (after: Position) => changedAfter(db, target.id, after)
  return (stream) => followFeed(stream, from, readAfter, (ring) => listenTo(wakeUps, target.id, ring))
}

type Row = ConversationRow & { position: string }

async function changedAfter(db: Db, projectId: string, after: Position): Promise<FeedItem[]> {
  const [xid, id] = after.split(':')
  const { rows } = await sql<Row>`
    select *, changed::text || ':' || id as position from conversations
    where project_id = ${projectId} and changed < pg_snapshot_xmin(pg_current_snapshot())
      and (changed, id) > (${xid}::text::xid8, ${id}::uuid)
    order by changed, id
    limit ${BATCH}`.execute(db)
  return rows.map((row) => ({
    position: row.position,
    type: 'conversation',
    data: JSON.stringify(stateOf(row)),
  }))
}

/** Of one that was deleted nothing is told but that. */
const stateOf = (row: Row) => (row.deleted_at === null ? present(row) : { id: row.id, deleted: true })

const present = (row: Row) => ({
  id: row.id,
  status: row.status,
  failure: row.failure,
  source: row.source,
  revision: row.revision,
  language: row.heard_language ?? row.language,
  participant_name: row.participant_name,
  title: row.title,
  started_at: row.started_at,
  finished_at: row.finished_at,
  duration_seconds: row.duration_ms / 1000,
  deleted: false,
})
