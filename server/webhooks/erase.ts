import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../database/database.ts'
import { runEach } from '../../platform/run-each.ts'
import { erasedDetails } from './erased-details.ts'

/** Events whose payloads are erased at once. */
const BATCH = 500
const PROJECTS_AT_ONCE = 20

/**
 * Takes what deleted projects leave behind: payloads and the answers of receivers, who may repeat them. Deliveries keep
 * ids and timings. Answers whether there is more.
 */
export async function eraseDeletedProjects(db: Db): Promise<boolean> {
  const projects = await db
    .selectFrom('projects')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where('erased_at', 'is', null)
    .limit(PROJECTS_AT_ONCE)
    .execute()
  const more = await runEach(projects, ({ id }) => inTransaction(db, (tx) => eraseSome(tx, id)))
  return projects.length === PROJECTS_AT_ONCE || more.includes(true)
}

async function eraseSome(tx: Tx, projectId: string): Promise<boolean> {
  await buryWebhooks(tx, projectId)
  const { rows } = await sql<{ id: string }>`
    update events set full_body = null, ids_body = null
    where (id, project_id) in (
      select id, project_id from events
      where project_id = ${projectId} and (full_body is not null or ids_body is not null)
      limit ${BATCH}
    )
    returning id`.execute(tx)
  await eraseAnswers(
    tx,
    rows.map(({ id }) => id),
  )
  if (rows.length === BATCH) return true
  await tx.updateTable('projects').set({ erased_at: sql`now()` }).where('id', '=', projectId).execute()
  return false
}

async function buryWebhooks(tx: Tx, projectId: string): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ deleted_at: sql`now()`, secret: null, previous_secret: null })
    .where('project_id', '=', projectId)
    .where('deleted_at', 'is', null)
    .execute()
}

async function eraseAnswers(tx: Tx, eventIds: string[]): Promise<void> {
  await sql`
    update attempts a set details = ${erasedDetails}
    from webhooks w
    join projects p on p.id = w.project_id and p.erased_at is null and p.deleted_at is not null
    join deliveries d on d.webhook_id = w.id and d.event_id = any(${eventIds})
    where a.delivery_id = d.id`.execute(tx)
}
