import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/database.ts'
import { lockConversation } from '../find-conversation.ts'
import { enqueueJoin, type Lifecycle, resume } from './steps.ts'

/** Per run. The tasks run once an hour. */
const MAX_RECOVERED = 1_000

/**
 * Resumes conversations whose recording ended over an hour ago, that are not done and have no job: the process died during
 * the last attempt, or a restored backup lacks the job. Returns how many.
 */
export async function recoverStalledSteps(lifecycle: Lifecycle, db: Db): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from conversations
    where status in ('transcribing', 'summarizing') and deleted_at is null and finished_at < now() - interval '1 hour'
    order by finished_at limit ${MAX_RECOVERED}`.execute(db)
  const ids = rows.map(({ id }) => id)
  const active = await lifecycle.jobs.valuesWithJob(['transcribe', 'summarize'], 'conversation_id', ids)
  const stalled = ids.filter((id) => !active.has(id))
  for (const id of stalled)
    await inTransaction(db, async (tx) => {
      const row = await lockConversation(tx, id)
      if (row) await resume(lifecycle, tx, row)
    })
  return stalled.length
}

/**
 * Enqueues the join of audio that was never joined: the job was lost, or an earlier version did not join failed conversations.
 * Returns how many.
 */
export async function recoverStalledAudio(jobs: Lifecycle['jobs'], db: Db): Promise<number> {
  const { rows } = await sql<{ id: string; has_chunks: boolean }>`
    select id, exists (select from chunks where conversation_id = conversations.id) as has_chunks from conversations
    where audio is null and audio_failure is null and deleted_at is null
      and status in ('summarizing', 'done', 'failed') and finished_at < now() - interval '1 hour'
    order by finished_at limit ${MAX_RECOVERED}`.execute(db)
  const idsWhere = (has: boolean) => rows.filter(({ has_chunks }) => has_chunks === has).map(({ id }) => id)
  await markWithoutChunks(db, idsWhere(false))
  const ids = idsWhere(true)
  const active = await jobs.valuesWithJob(['join_audio'], 'conversation_id', ids)
  let enqueued = 0
  for (const id of ids.filter((id) => !active.has(id)))
    await inTransaction(db, async (tx) => {
      const row = await lockConversation(tx, id)
      if (!row || row.audio !== null || row.audio_failure !== null) return
      await enqueueJoin(jobs, tx, row)
      enqueued += 1
    })
  return enqueued
}

/** So that the next run skips them. A request that stores a chunk locks the row first, so `not exists` sees its chunk. */
async function markWithoutChunks(db: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update conversations set audio_failure = 'no_chunks'
    where id = any(${ids}::uuid[]) and status in ('summarizing', 'done', 'failed')
      and audio is null and not exists (select from chunks where conversation_id = conversations.id)`.execute(
    db,
  )
}
