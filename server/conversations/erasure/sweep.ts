import { sql } from 'kysely'
import { type Db, inTransaction } from '../../kernel/database.ts'
import type { Jobs } from '../../kernel/jobs.ts'
import { deleteConversation } from '../delete-conversation.ts'

const BATCH = 100

/** Deletes what is past its project's retention, and what deleted projects left. Answers whether there is more. */
export async function sweepConversations(db: Db, jobs: Jobs): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select c.id from conversations c
    join projects p on p.id = c.project_id
    where c.deleted_at is null and (
      p.deleted_at is not null
      or c.status <> 'recording' and c.finished_at < now() - make_interval(days => p.retention_days))
    limit ${BATCH}`.execute(db)
  for (const { id } of rows) await inTransaction(db, (tx) => deleteConversation(jobs, tx, id))
  return rows.length === BATCH
}
