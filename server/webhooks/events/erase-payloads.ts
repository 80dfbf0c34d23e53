import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../database/database.ts'
import type { AttemptDetails } from '../../../database/tables.ts'
import { idFloor } from '../../../platform/ids.ts'
import { runEach } from '../../../platform/run-each.ts'

const EVENT_BATCH_SIZE = 500
const PROJECT_BATCH_SIZE = 20

const ERASED: (keyof AttemptDetails)[] = ['answer_headers', 'answer_body', 'sent']

/** Without the response, which can contain the payload, and without the signatures, which could confirm a guess at it. */
const erasedDetails = sql`(a.details::jsonb - ${ERASED}::text[])::json`

/**
 * Erases the payloads of the events about one conversation or report, and the responses to them. Pending deliveries are cancelled;
 * all deliveries keep their ids and timings. The event that announces the erasure has ids only, and is kept.
 */
export async function erasePayloads(tx: Tx, subjectId: string): Promise<void> {
  const { rows } = await sql<{ id: string; project_id: string }>`
    update events set full_body = null, ids_body = null
    where subject_id = ${subjectId} and type <> 'conversation.erased'
    returning id, project_id`.execute(tx)
  for (const event of rows) await eraseDeliveries(tx, event)
}

/** Deliveries have no index by event, which would cost every insert; the bound on ids works because none is older than its event. */
async function eraseDeliveries(tx: Tx, event: { id: string; project_id: string }): Promise<void> {
  const { id, project_id } = event
  const { rows } = await sql<{ id: string }>`
    update deliveries d set
      status = case d.status when 'pending' then 'cancelled' else d.status end,
      finished_at = coalesce(d.finished_at, now())
    from webhooks w
    where w.project_id = ${project_id} and d.webhook_id = w.id and d.id >= ${idFloor(timeOf(id) - CLOCK_SKEW_MS)}
      and d.event_id = ${id}
    returning d.id`.execute(tx)
  await sql`
    update attempts a set details = ${erasedDetails}
    where a.delivery_id = any(${rows.map((row) => row.id)})`.execute(tx)
}

/** Event ids and delivery ids can come from different clocks. */
const CLOCK_SKEW_MS = 3_600_000

/** A UUID v7 starts with its time in milliseconds. */
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

/** Erases the payloads and responses of deleted projects in batches. Returns whether there are more. */
export async function eraseDeletedProjects(db: Db): Promise<boolean> {
  const projects = await db
    .selectFrom('projects')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where('erased_at', 'is', null)
    .limit(PROJECT_BATCH_SIZE)
    .execute()
  const more = await runEach(projects, ({ id }) => inTransaction(db, (tx) => eraseBatch(tx, id)))
  return projects.length === PROJECT_BATCH_SIZE || more.includes(true)
}

async function eraseBatch(tx: Tx, projectId: string): Promise<boolean> {
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
  if (rows.length === EVENT_BATCH_SIZE) return true
  await tx.updateTable('projects').set({ erased_at: sql`now()` }).where('id', '=', projectId).execute()
  return false
}
