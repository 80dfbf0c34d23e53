import { sql } from 'kysely'
import { type Db, inTransaction } from '../../kernel/database.ts'
import type { Jobs } from '../../kernel/jobs.ts'
import { byService, deleteConversation } from '../delete-conversation.ts'

const BATCH = 100

/** Deletes what is past its project's retention, and what deleted projects left. Answers whether there is more. */
export async function sweepConversations(db: Db, jobs: Jobs): Promise<boolean> {
  const { rows } = await sql<{ id: string; has_project: boolean }>`
    select c.id, p.deleted_at is null as has_project from conversations c
    join projects p on p.id = c.project_id
    where c.deleted_at is null and (
      p.deleted_at is not null
      or c.status <> 'recording' and c.finished_at < now() - make_interval(days => p.retention_days))
    limit ${BATCH}`.execute(db)
  for (const { id, has_project } of rows) {
    const deletion = has_project ? byService('conversation.expire') : null
    await inTransaction(db, (tx) => deleteConversation(jobs, tx, id, deletion))
  }
  return rows.length === BATCH
}

/**
 * Erases what was deleted an hour ago and is still there: its job was given up, or lost with a database that was restored. One
 * that is still at work does no harm. Answers how many.
 */
export async function renewErasures(db: Db, jobs: Jobs): Promise<number> {
  const { rows } = await sql<{ id: string; project_id: string }>`
    select id, project_id from conversations
    where erased_at is null and deleted_at < now() - interval '1 hour'
    limit ${MOST_RENEWED}`.execute(db)
  const lost = rows.map(({ id, project_id }) => ({ data: { conversation_id: id }, projectId: project_id }))
  await inTransaction(db, (tx) => jobs.enqueueAll(tx, 'erase', lost))
  return rows.length
}

const MOST_RENEWED = 1_000
