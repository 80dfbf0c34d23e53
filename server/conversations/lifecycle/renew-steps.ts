import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/database.ts'
import { lockConversation } from './lock-conversation.ts'
import { goOn, type Lifecycle } from './steps.ts'

const MOST_RENEWED = 1_000

/**
 * Goes on with conversations that have come to a stop: recorded an hour ago, on their way, and no job does anything for them. A
 * job's last try may have died with its process, or have been lost with a database that was restored. Answers how many.
 */
export async function renewSteps(on: Lifecycle, db: Db): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from conversations
    where status in ('transcribing', 'summarizing') and deleted_at is null and finished_at < now() - interval '1 hour'
    order by finished_at limit ${MOST_RENEWED}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const atWork = await on.jobs.atWork(['transcribe', 'summarize'], 'conversation_id', ids)
  const stopped = ids.filter((id) => !atWork.has(id))
  for (const id of stopped)
    await inTransaction(db, async (tx) => {
      const row = await lockConversation(tx, id)
      if (row) await goOn(on, tx, row)
    })
  return stopped.length
}
