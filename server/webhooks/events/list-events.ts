import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import { idFloor } from '../../../platform/ids.ts'
import {
  FEED_START,
  type FeedPage,
  laterPosition,
  partsOf,
  positionField,
  positionOfCursor,
  readFeedPage,
  sinceQuery,
} from '../../api/feed/feed.ts'
import type { FeedSelection } from '../../api/feed/feed-hub.ts'
import { pageQuery } from '../../api/pagination.ts'
import { invalidInput } from '../../api/problems.ts'
import type { Context } from '../../api/route-spec.ts'
import { id, timestamp } from '../../api/schema.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { noteStaffReading } from '../../tenancy/index.ts'
import { noteTranscriptsRead } from './note-payload-reading.ts'
import { FEED_ONLY_TYPES, FEED_TYPES, type FeedType } from './payloads.ts'

export const FeedEvent = z
  .object({
    id,
    position: positionField,
    type: z.enum(FEED_TYPES).describe(`${FEED_ONLY_TYPES.join(' and ')} are never sent to webhooks`),
    timestamp,
    version: z.literal(1),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'As in deliveries; null after an erasure. For conversation.failed: the conversation with its failure. For conversation.erased: only ids; delete your copies of that conversation',
      ),
  })
  .meta({ id: 'Event' })
type FeedEvent = z.output<typeof FeedEvent>

export const typesQuery = z
  .string()
  .max(500)
  .optional()
  .describe('Comma-separated event types; default: all of them')

export const eventQuery = pageQuery.extend({
  cursor: z
    .string()
    .max(1000)
    .optional()
    .describe('`next_cursor` of the previous page, the `position` of a record, or an event id of the stream'),
  types: typesQuery,
  since: sinceQuery,
})

/** The project's events in commit order, for receivers that poll or reconcile. */
export async function listEvents(
  context: Context<ProjectTarget>,
  query: z.output<typeof eventQuery>,
): Promise<{ data: FeedEvent[]; next_cursor: string }> {
  const { db, target } = context
  await noteStaffReading(context, 'event.list', { kind: 'project', id: target.id })
  const after = positionOfCursor(query.cursor) ?? FEED_START
  const { since = null, limit } = query
  const page = await readFeed(db, { projectId: target.id, types: typesOf(query.types), after, since }, limit)
  const data = page.items.map(toEvent)
  await noteTranscriptsRead(context, data)
  return { data, next_cursor: laterPosition(after, page.end) }
}

export function typesOf(text: string | undefined): FeedType[] {
  if (text === undefined) return [...FEED_TYPES]
  const types = text.split(',').map((part) => FEED_TYPES.find((type) => type === part.trim()))
  if (types.includes(undefined))
    throw invalidInput({ path: 'types', message: 'must be a comma-separated list of known event types' })
  return types as FeedType[]
}

interface FeedRow {
  id: string
  type: FeedType
  occurred_at: string
  body: Buffer | null
  position: string
}

/** Oldest first; see `Position` for the order. Ids grow with time, so a bound on them skips partitions. */
export async function readFeed(
  db: Db,
  { projectId, types, after, since }: FeedSelection,
  limit: number,
): Promise<FeedPage<FeedRow>> {
  const [xid, id] = partsOf(after)
  const from = since ?? '-infinity'
  const firstId = since === null ? NO_ID : idFloor(Date.parse(since) - CLOCK_SKEW_MS)
  return readFeedPage(
    db,
    limit,
    sql<FeedRow>`
      select id, type, occurred_at, full_body as body, xid as feed_xid, xid::text || ':' || id as position
      from events
      where project_id = ${projectId} and type = any(${types ?? FEED_TYPES}::text[])
        and xid < snapshot.xmin and (xid, id) > (${xid}::text::xid8, ${id}::uuid)
        and occurred_at >= ${from}::timestamptz and id >= ${firstId}::uuid
      order by xid, id
      limit ${limit}`,
  )
}

const NO_ID = '00000000-0000-0000-0000-000000000000'
/** The largest difference between the time of an event and the time in its id. */
const CLOCK_SKEW_MS = 3_600_000

/** The body as it was sent; after an erasure, only the columns of the row. */
export function toEvent({ id, type, occurred_at, body, position }: FeedRow): FeedEvent {
  if (body) return { ...(JSON.parse(body.toString()) as FeedEvent), position }
  return { id, type, timestamp: occurred_at, version: 1, data: null, position }
}
