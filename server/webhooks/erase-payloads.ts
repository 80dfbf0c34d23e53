import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import { idFloor } from '../../platform/ids.ts'
import { erasedDetails } from './erased-details.ts'

/**
 * Takes what events and receivers' answers say of one conversation or report: deliveries keep ids and timings, and what is
 * still pending is cancelled. The event that announces the erasure has ids alone, and stays for those who keep copies.
 */
export async function erasePayloads(tx: Tx, subjectId: string): Promise<void> {
  const { rows } = await sql<{ id: string; project_id: string }>`
    update events set full_body = null, ids_body = null
    where subject_id = ${subjectId} and type <> 'conversation.erased'
    returning id, project_id`.execute(tx)
  for (const event of rows) await eraseDeliveries(tx, event)
}

/** There is no index by event, which every delivery would pay for; but none of its deliveries is older than the event. */
async function eraseDeliveries(
  tx: Tx,
  { id, project_id }: { id: string; project_id: string },
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update deliveries d set
      status = case d.status when 'pending' then 'cancelled' else d.status end,
      finished_at = coalesce(d.finished_at, now())
    from webhooks w
    where w.project_id = ${project_id} and d.webhook_id = w.id and d.id >= ${idFloor(timeOf(id) - CLOCKS_DIFFER_MS)}
      and d.event_id = ${id}
    returning d.id`.execute(tx)
  await sql`
    update attempts a set details = ${erasedDetails}
    where a.delivery_id = any(${rows.map((row) => row.id)})`.execute(tx)
}

/** Event ids are made by programs, delivery ids by the database. */
const CLOCKS_DIFFER_MS = 3_600_000

/** A UUID v7 begins with its milliseconds. */
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
