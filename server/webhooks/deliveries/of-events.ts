import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import type { DeliveryQuery } from './schema.ts'

type Condition = RawBuilder<unknown>

/** The given conditions together; true where none is given. */
export function allOf(...conditions: (Condition | false | null | undefined | '')[]): Condition {
  const given = conditions.filter((condition): condition is Condition => Boolean(condition))
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `)
}

/** Deliveries of one event, or of the events about a conversation or report; null if the filter is empty. */
export async function deliveryIdsOf(
  db: Db,
  projectId: string,
  webhookIds: string[],
  { event_id, conversation_id, report_id }: DeliveryQuery,
): Promise<string[] | null> {
  if (!event_id && !conversation_id && !report_id) return null
  const matching = allOf(
    event_id && sql`id = ${event_id}`,
    conversation_id && sql`subject_id = ${conversation_id} and type like 'conversation.%'`,
    report_id && sql`subject_id = ${report_id} and type like 'report.%'`,
  )
  const events = sql`
    select id, occurred_at from events where project_id = ${projectId} and ${matching}`
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
