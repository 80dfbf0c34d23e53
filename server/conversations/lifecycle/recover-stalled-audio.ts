import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/database.ts'
import { lockConversation } from './lock-conversation.ts'
import { enqueueJoin, type Lifecycle } from './steps.ts'

/** Per run, once an hour. */
const MAX_RECOVERED = 1_000

interface Found {
  id: string
  has_chunks: boolean
}

/**
 * Joins audio that was never joined: of conversations that failed before failed ones were joined, too, and of those whose job was
 * lost. Returns how many jobs it enqueued.
 */
export async function recoverStalledAudio(jobs: Lifecycle['jobs'], db: Db): Promise<number> {
  const { rows } = await sql<Found>`
    select id, exists (select from chunks where conversation_id = conversations.id) as has_chunks from conversations
    where audio is null and audio_failure is null and deleted_at is null
      and status in ('summarizing', 'done', 'failed') and finished_at < now() - interval '1 hour'
    order by finished_at limit ${MAX_RECOVERED}`.execute(db)
  await markWithoutChunks(
    db,
    rows.filter(({ has_chunks }) => !has_chunks),
  )
  const ids = rows.filter(({ has_chunks }) => has_chunks).map(({ id }) => id)
  const queued = await jobs.atWork(['join_audio'], 'conversation_id', ids)
  let enqueued = 0
  for (const id of ids.filter((one) => !queued.has(one)))
    await inTransaction(db, async (tx) => {
      const row = await lockConversation(tx, id)
      if (row === null || row.audio !== null || row.audio_failure !== null) return
      await enqueueJoin(jobs, tx, row)
      enqueued += 1
    })
  return enqueued
}

/** The next run skips them. A concurrent chunk locks the row first, so that the check finds it. */
async function markWithoutChunks(db: Db, rows: Found[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update conversations set audio_failure = 'no_chunks'
    where id = any(${rows.map(({ id }) => id)}::uuid[]) and status in ('summarizing', 'done', 'failed')
      and audio is null and not exists (select from chunks where conversation_id = conversations.id)`.execute(
    db,
  )
}
