import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/database.ts'

interface Filter {
  eventId: string | undefined
  conversationId: string | undefined
  reportId: string | undefined
}

/** Deliveries of one event, or of the events about a conversation or report; null if the filter is empty. */
export async function deliveryIdsOf(
  db: Db,
  projectId: string,
  webhookIds: string[],
  { eventId, conversationId, reportId }: Filter,
): Promise<string[] | null> {
  const conditions = [
    eventId === undefined ? null : sql`id = ${eventId}`,
    conversationId === undefined ? null : sql`subject_id = ${conversationId} and type like 'conversation.%'`,
    reportId === undefined ? null : sql`subject_id = ${reportId} and type like 'report.%'`,
  ].filter((condition) => condition !== null)
  if (conditions.length === 0) return null
  const events = sql`
    select id, occurred_at from events where project_id = ${projectId} and ${sql.join(conditions, sql` and `)}`
  const { rows } = await sql<{ id: string }>`
    select d.id from (${ofEvents(events, webhookIds)}) d`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * All deliveries of some events (`id`, `occurred_at`). An index by event would cost every delivery two more writes. A delivery of
 * kind `event` is inserted in the transaction of its event, whose statements take at most 25 seconds, so its id has about the same
 * time; tests, resends and replays are later, and have an index.
 */
export const ofEvents = (events: RawBuilder<unknown>, webhookIds: string[]): RawBuilder<unknown> => sql`
  select d.* from (${events}) e
  cross join lateral (
    select d.* from unnest(${webhookIds}::uuid[]) as w(id)
    join deliveries d on d.webhook_id = w.id
      and d.id >= uuid_floor(e.occurred_at - interval '10 seconds')
      and d.id < uuid_floor(e.occurred_at + interval '1 minute')
    where d.event_id = e.id and d.kind = 'event'
    union all
    select d.* from deliveries d
    where d.event_id = e.id and d.kind <> 'event' and d.webhook_id = any(${webhookIds})
  ) d`
