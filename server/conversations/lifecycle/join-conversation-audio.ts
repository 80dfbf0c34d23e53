import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../database/database.ts'
import type { AudioFailure } from '../../../database/tables.ts'
import type { Container } from '../../../media/containers/container.ts'
import { MediaFailure } from '../../../media/failure.ts'
import { joinAudio } from '../../../media/join/join-audio.ts'
import type { Logger } from '../../../platform/log.ts'
import { createTempDirectory } from '../../../platform/temp-directory.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import type { RunningJob } from '../../background/queue.ts'
import { chunkKey, joinedKey, peaksKey } from '../chunks/file-keys.ts'
import { faultPoint } from '../fault-points.ts'
import { lockConversation } from '../find-conversation.ts'

/** More than the largest conversation. */
const MAX_BYTES = 8 * 1024 ** 3

/** For about two minutes, a part that could not be read is retried. Then the others are joined without it. */
const TRANSIENT_RETRIES = 6

interface PlacedChunk {
  seq: number
  digest: Buffer
  container: string | null
  chunk_seconds: number | null
  start_ms: number
}

/** Joins a conversation's chunks to one file that browsers play. The chunks are kept. */
export async function joinConversationAudio(
  { db, files, log }: { db: Db; files: FileStore; log: Logger },
  job: RunningJob,
): Promise<void> {
  const { conversation_id: id, revision } = job.data as { conversation_id: string; revision: number }
  const { rows: chunks } = await sql<PlacedChunk>`
    select c.seq, digest, container, chunk_seconds, start_ms
    from conversations join chunks c on c.conversation_id = conversations.id
      join placed_chunks(${id}) placed on placed.seq = c.seq
    where id = ${id} and revision = ${revision} and deleted_at is null order by c.seq`.execute(db)
  if (chunks.length === 0) return
  await using temp = await createTempDirectory()
  try {
    const keys = chunks.map(({ seq, digest }) => chunkKey(id, seq, digest))
    const target = join(temp.path, 'whole')
    const joined = await files.withPaths(keys, (paths) =>
      joinAudio(
        chunks.map(({ container, seq, start_ms: startMs, chunk_seconds: sliceSeconds }, n) => ({
          path: paths[n] as string,
          container: (container ?? containerBefore(chunks, n)) as Container,
          continuation: container === null,
          sliceSeconds,
          afterLoss: seq > 0 && chunks[n - 1]?.seq !== seq - 1,
          // The same times as in the transcript.
          startMs,
        })),
        target,
        job.signal,
        { failOnTransient: job.retry < TRANSIENT_RETRIES },
      ),
    )
    await storeFile(files, target, joinedKey(id, revision))
    faultPoint('after_join')
    await recordAudio(db, files, id, { revision, content_type: joined.contentType })
  } catch (error) {
    const failure = failureOf(error, job)
    if (failure === null) throw error
    const fields = {
      component: 'audio',
      project_id: job.projectId,
      attempt: job.retry + 1,
      code: failure,
      err: error,
    }
    log.warn(fields, 'Joining the chunks of a conversation failed; no audio file for this revision')
    // Audio of an earlier revision stays playable.
    await db
      .updateTable('conversations')
      .set({ audio_failure: failure })
      .where('id', '=', id)
      .where('revision', '=', revision)
      .where('deleted_at', 'is', null)
      .execute()
  }
}

/** The failure to store; null while another attempt follows, or the service stops. */
function failureOf(error: unknown, { isLast, signal }: RunningJob): AudioFailure | null {
  if (error instanceof MediaFailure && !error.isTransient)
    return error.code === 'needs_ffmpeg' ? 'mixed' : 'unreadable'
  return isLast && !signal.aborted ? 'internal' : null
}

const containerBefore = (chunks: { container: string | null }[], n: number): string =>
  chunks.slice(0, n).findLast(({ container }) => container !== null)?.container ?? 'webm'

async function storeFile(files: FileStore, path: string, key: string): Promise<void> {
  const file = await files.receive(createReadStream(path), MAX_BYTES)
  try {
    // An earlier attempt can have stored the audio without a part that could not be read then.
    await file.keep(key, { replace: true })
  } finally {
    await file.discard()
  }
}

/** Removes the file of the earlier revision, or this one if the conversation was deleted or transcribed again since. */
async function recordAudio(
  db: Db,
  files: FileStore,
  id: string,
  audio: { revision: number; content_type: string },
): Promise<void> {
  const { revision } = audio
  const unwanted = await inTransaction(db, async (tx) => {
    const row = await lockConversation(tx, id)
    const stored = row?.audio?.revision
    if (row?.revision !== revision) return stored === revision ? undefined : revision
    await tx
      .updateTable('conversations')
      .set({ audio: JSON.stringify(audio), audio_failure: null })
      .where('id', '=', id)
      .execute()
    return stored === revision ? undefined : stored
  })
  if (unwanted === undefined) return
  for (const key of [joinedKey(id, unwanted), peaksKey(id, unwanted)]) await files.remove(key)
}
