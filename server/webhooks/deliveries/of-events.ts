import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import { deliveryLog } from '../../../delivery/index.ts'
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
    select d.id from (${deliveryLog.deliveriesOfEvents(events, webhookIds)}) d`.execute(db)
  return rows.map(({ id }) => id)
}
