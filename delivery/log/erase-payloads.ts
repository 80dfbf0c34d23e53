import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import type { AttemptDetails } from '../../database/tables.ts'
import { idFloor } from '../../platform/ids.ts'
import { endDeliveriesOfEvent } from '../statements/end-deliveries.ts'

const EVENT_BATCH_SIZE = 500

const ERASED: (keyof AttemptDetails)[] = ['answer_headers', 'answer_body', 'sent']

/** Without the response, which can contain the payload, and without the signatures, which could confirm a guess at it. */
const erasedDetails = sql`(a.details::jsonb - ${ERASED}::text[])::json`

/**
 * Erases the payloads of the events about one subject, such as a conversation, and the responses to them. Pending deliveries are
 * cancelled; all deliveries keep their ids and timings. Events of the type `kept` stay as they are.
 */
export async function erasePayloads(tx: Tx, subjectId: string, kept: string): Promise<void> {
  const { rows } = await sql<{ id: string; project_id: string }>`
    update events set full_body = null, ids_body = null
    where subject_id = ${subjectId} and type <> ${kept}
    returning id, project_id`.execute(tx)
  for (const { id, project_id } of rows) {
    // Deliveries have no index by event, which would cost every insert; the bound works because none is older than its event.
    const firstId = idFloor(timeOf(id) - CLOCK_SKEW_MS)
    const deliveries = await endDeliveriesOfEvent(tx, { eventId: id, projectId: project_id, firstId })
    await sql`update attempts a set details = ${erasedDetails} where a.delivery_id = any(${deliveries})`.execute(
      tx,
    )
  }
}

/** Event ids and delivery ids can come from different clocks. */
const CLOCK_SKEW_MS = 3_600_000

/** A UUID v7 starts with its time in milliseconds. */
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

/** Erases the secrets, payloads and responses of a deleted project, a batch of events at a time. Returns whether there are more. */
export async function erasePayloadsOfProject(tx: Tx, projectId: string): Promise<boolean> {
  await tx
    .updateTable('webhooks')
    .set({ deleted_at: sql`now()`, secret: null, previous_secret: null })
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .execute()
  const { rows } = await sql<{ id: string }>`
    update events set full_body = null, ids_body = null
    where (id, project_id) in (
      select id, project_id from events
      where project_id = ${projectId} and (full_body is not null or ids_body is not null)
      limit ${EVENT_BATCH_SIZE}
    )
    returning id`.execute(tx)
  await sql`
    update attempts a set details = ${erasedDetails}
    from webhooks w
    join projects p on p.id = w.project_id and p.erased_at is null and p.deleted_at is not null
    join deliveries d on d.webhook_id = w.id and d.event_id = any(${rows.map(({ id }) => id)})
    where a.delivery_id = d.id`.execute(tx)
  return rows.length === EVENT_BATCH_SIZE
}
