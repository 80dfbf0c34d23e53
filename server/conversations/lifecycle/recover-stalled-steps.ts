import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/database.ts'
import { lockConversation } from './lock-conversation.ts'
import { type Lifecycle, resume } from './steps.ts'

const MAX_RECOVERED = 1_000

/**
 * Resumes conversations that finished recording an hour ago, are not done, and have no job: the last attempt died with its
 * process, or the job was lost when a database was restored. Returns how many.
 */
export async function recoverStalledSteps(on: Lifecycle, db: Db): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from conversations
    where status in ('transcribing', 'summarizing') and deleted_at is null and finished_at < now() - interval '1 hour'
    order by finished_at limit ${MAX_RECOVERED}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const atWork = await on.jobs.atWork(['transcribe', 'summarize'], 'conversation_id', ids)
  const stopped = ids.filter((id) => !atWork.has(id))
  for (const id of stopped)
    await inTransaction(db, async (tx) => {
      const row = await lockConversation(tx, id)
      if (row) await resume(on, tx, row)
    })
  return stopped.length
}
