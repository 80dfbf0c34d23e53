import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../access/index.ts'
import { type Answer, found } from '../../kernel/answer.ts'
import type { Db } from '../../kernel/database.ts'
import { isPosition, type Position } from '../../kernel/feed.ts'
import { cursorKey, pageQuery, toPage } from '../../kernel/page.ts'
import { invalidInput } from '../../kernel/problems.ts'
import { id, timestamp } from '../../kernel/schema.ts'
import { noteStaffReading } from '../../tenancy/index.ts'
import type { WebhookAccess } from '../access.ts'
import { EVENT_TYPES, type EventType } from './payloads.ts'

export const FeedEvent = z
  .object({
    id,
    type: z.enum(EVENT_TYPES),
    timestamp,
    version: z.literal(1),
    data: z.record(z.string(), z.unknown()).nullable().describe('As in deliveries; null after an erasure'),
  })
  .meta({ id: 'Event' })

export const eventQuery = pageQuery.extend({
  types: z
    .string()
    .max(500)
    .optional()
    .describe('Types of events, separated by commas; all of them when left out'),
})
type EventQuery = z.output<typeof eventQuery>

/** The project's events in the order in which they became certain, for receivers that poll or reconcile. */
export async function listEvents(context: Context<WebhookAccess, undefined, EventQuery>): Promise<Answer> {
  const { db, target, query } = context
  await noteStaffReading(context, 'event.list', { kind: 'project', id: target.id })
  const feed = { projectId: target.id, types: typesOf(query.types), after: cursorKey(query, isPosition) }
  const rows = await readFeed(db, feed, query.limit + 1)
  const page = toPage(rows, query.limit, (row) => row.position)
  return found({ ...page, data: page.data.map(toEvent) })
}

export function typesOf(text: string | undefined): EventType[] {
  if (text === undefined) return [...EVENT_TYPES]
  const types = text.split(',').map((part) => EVENT_TYPES.find((type) => type === part.trim()))
  if (types.includes(undefined))
    throw invalidInput({ path: 'types', message: 'must be events there are, separated by commas' })
  return types as EventType[]
}

export interface Feed {
  projectId: string
  types: EventType[]
  /** Null for the beginning. */
  after: Position | null
}

interface FeedRow {
  id: string
  type: string
  occurred_at: string
  body: Buffer | null
  position: string
}

/** Oldest first; see `Position` for the order. */
export async function readFeed(db: Db, { projectId, types, after }: Feed, limit: number): Promise<FeedRow[]> {
  const [xid = null, eventId = null] = after?.split(':') ?? []
  const { rows } = await sql<FeedRow>`
    select id, type, occurred_at, full_body as body, xid::text || ':' || id as position
    from events
    where project_id = ${projectId} and type = any(${types})
      and xid < pg_snapshot_xmin(pg_current_snapshot())
      and (${xid}::text is null or (xid, id) > (${xid}::text::xid8, ${eventId}::uuid))
    order by xid, id
    limit ${limit}`.execute(db)
  return rows
}

/** The sent bytes, read back; without them only what the row itself tells. */
export function toEvent({ id, type, occurred_at, body }: FeedRow): unknown {
  if (body) return JSON.parse(body.toString())
  return { id, type, timestamp: occurred_at, version: 1, data: null }
}
