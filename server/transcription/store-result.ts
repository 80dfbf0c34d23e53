import { sql, type UpdateObject } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../database/database.ts'
import { prepared } from '../../database/prepared-statements.ts'
import type { Tables } from '../../database/tables.ts'
import {
  advance,
  type ConversationRow,
  changeConversation,
  INCOMPLETE,
  type Lifecycle,
  lockConversation,
  PRIORITY,
} from '../conversations/index.ts'
import { type FileChunks, hasHeader } from './find-file-chunks.ts'
import type { Overlap } from './find-overlap.ts'
import type { Phrase } from './overlap.ts'
import { spokenLanguage } from './spoken-language.ts'
import type { Transcriber } from './transcriber.ts'
import { writeSegments } from './write-segments.ts'

/** Times are milliseconds from the beginning of the chunk. */
export interface ChunkTranscription {
  overlap: Overlap
  phrases: Phrase[]
  language: string | null
  /** How far the chunk is transcribed now. */
  transcribedTo: number
  isWhole: boolean
  /** Speech after it continues at `transcribedTo`; null if unknown. */
  finishedTo: number | null
  /** For the first chunk after a missing one, the time in the recorder's stream, -1 if unknown; otherwise null. */
  streamMs: number | null
}

export type ChunkResult = ChunkTranscription | { failure: string }

type ChunkOfConversation = Pick<FileChunks, 'conversation' | 'chunk' | 'chunks'>

/** Stores the result of one job in one transaction, so that a job that runs again finds it. */
export async function storeResult(
  parts: Lifecycle & { db: Db; transcriber?: Pick<Transcriber, 'capabilities'> },
  { conversation, chunk, chunks }: ChunkOfConversation,
  result: ChunkResult,
  priority: number,
): Promise<void> {
  const { id, project_id: projectId, revision } = conversation
  await inTransaction(parts.db, async (tx) => {
    const row = await lockConversation(tx, id)
    // A newer revision transcribes the chunk again, and another job can have transcribed it since.
    if (row?.revision !== revision || !(await isUnchanged(tx, chunk))) return
    const isStartMissing = 'failure' in result && result.failure === INCOMPLETE
    // The missing chunk has arrived since. Its job did not enqueue this chunk, because this chunk was not waiting.
    if (!hasHeader(chunks) && (await exists(tx, id, (chunks[0]?.seq ?? 0) - 1)))
      return parts.jobs.enqueue(tx, 'transcribe', dataOf(chunk), { projectId, priority })
    // A failed chunk keeps the text that was transcribed so far.
    if ('failure' in result) await update(tx, chunk, { state: 'failed', ...result, duration_ms: null })
    else await write(tx, chunk, result)
    const updated = await changeConversation(tx, id, {
      duration_ms: sql`(select coalesce(sum(coalesce(duration_ms, transcribed_ms)), 0) from chunks where conversation_id = ${id})`,
      missing_ms: sql`missing_ms_after(${id}, ${chunk.seq})`,
      detected_language: await languageWith(tx, row, result),
      ...(!('failure' in result) && {
        transcript_model: parts.transcriber?.capabilities.models?.fast ?? null,
      }),
      // A second pass of the text before is outdated.
      second_pass: null,
    })
    // Live audio goes before the rest of a long recording.
    if (!('failure' in result || result.isWhole))
      return parts.jobs.enqueue(tx, 'transcribe', dataOf(chunk), {
        projectId,
        priority: Math.min(priority, PRIORITY.upload),
      })
    await enqueueNextChunk(parts, tx, updated, { seq: chunk.seq, isStartMissing, priority })
    await advance(parts, tx, updated)
  })
}

/** Records a failure that is retried, perhaps for hours, and lets the chunks after it continue. */
export async function noteFailure(
  parts: Lifecycle & { db: Db },
  { conversation, chunk }: ChunkOfConversation,
  failure: string,
  priority: number,
): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const row = await lockConversation(tx, conversation.id)
    if (!row || !(await isUnchanged(tx, chunk))) return
    await update(tx, chunk, { failure })
    await enqueueNextChunk(parts, tx, row, { seq: chunk.seq, isStartMissing: true, priority })
  })
}

/** A result in the language of the text so far does not change it. */
async function languageWith(
  tx: Tx,
  { id, detected_language }: ConversationRow,
  result: ChunkResult,
): Promise<string | null> {
  if ('failure' in result || result.language === null || result.language === detected_language)
    return detected_language
  return (await spokenLanguage(tx, id)) ?? result.language
}

type Chunk = FileChunks['chunk']

const dataOf = ({ conversation_id, seq }: Pick<Chunk, 'conversation_id' | 'seq'>) => ({
  conversation_id,
  seq,
})

const exists = async (tx: Tx, conversation_id: string, seq: number): Promise<boolean> =>
  (await tx
    .selectFrom('chunks')
    .select('seq')
    .where((is) => is.and({ conversation_id, seq }))
    .executeTakeFirst()) !== undefined

/** Whether no other job has transcribed more of it. */
async function isUnchanged(tx: Tx, { conversation_id, seq, transcribed_ms }: Chunk): Promise<boolean> {
  const now = await tx
    .selectFrom('chunks')
    .select(['state', 'transcribed_ms'])
    .where((is) => is.and({ conversation_id, seq }))
    .modifyEnd(prepared)
    .executeTakeFirst()
  return now?.state === 'stored' && now.transcribed_ms === transcribed_ms
}

async function update(
  tx: Tx,
  { conversation_id, seq }: Chunk,
  changes: UpdateObject<Tables, 'chunks'>,
): Promise<void> {
  await tx
    .updateTable('chunks')
    .set(changes)
    .where((is) => is.and({ conversation_id, seq }))
    .modifyEnd(prepared)
    .execute()
}

async function write(tx: Tx, chunk: Chunk, transcription: ChunkTranscription): Promise<void> {
  const { transcribedTo, isWhole, finishedTo, language, streamMs } = transcription
  await update(tx, chunk, {
    ...(isWhole
      ? { state: 'transcribed', duration_ms: transcribedTo, transcribed_ms: null }
      : { transcribed_ms: transcribedTo }),
    finished_ms: finishedTo,
    failure: null,
    stream_ms: streamMs,
    language: language ?? chunk.language,
  })
  // Corrections are kept by time, which needs the length of the chunk.
  await writeSegments(tx, chunk, transcription)
}

/** A phrase never spans more chunks than this. */
const MAX_CHUNKS_OF_PHRASE = 60

/**
 * Enqueues chunks that this one changes:
 * - the next chunk, unless `isStartMissing`: if it was transcribed without this one, if it failed without this one, or if a phrase that
 *   began in this one is stored with it or a later chunk, and is transcribed again. A long phrase moves from chunk to chunk while it is
 *   recorded, so the chunks between follow one after the other.
 * - the next chunk that is not transcribed, if it waits for this one.
 */
async function enqueueNextChunk(
  { jobs }: Lifecycle,
  tx: Tx,
  { id, project_id: projectId, status }: ConversationRow,
  { seq, isStartMissing, priority }: { seq: number; isStartMissing: boolean; priority: number },
): Promise<void> {
  const next = await tx
    .updateTable('chunks')
    .set({ state: 'stored', failure: null, waits_for_previous: false, transcribed_ms: null, stream_ms: null })
    .where('conversation_id', '=', id)
    .where(
      sql<boolean>`(seq = ${seq + 1} and not ${isStartMissing}::boolean
          and (stream_ms is not null or state = 'failed' and failure = ${INCOMPLETE}
            or state = 'transcribed' and exists (
              select from segments s
              join chunks holder on holder.conversation_id = s.conversation_id and holder.seq = s.chunk_seq
                and holder.state = 'transcribed'
              where s.conversation_id = ${id} and s.chunk_seq between ${seq + 1} and ${seq + MAX_CHUNKS_OF_PHRASE}
                and s.start_ms + coalesce((select sum(between_them.duration_ms) from chunks between_them
                  where between_them.conversation_id = ${id} and between_them.seq > ${seq}
                    and between_them.seq < s.chunk_seq), 0) < 0))
        or waits_for_previous and seq = (select min(c.seq) from chunks c
          where c.conversation_id = ${id} and c.seq > ${seq} and c.state = 'stored'))`,
    )
    .returning(['conversation_id', 'seq'])
    .modifyEnd(prepared)
    .execute()
  const now = status === 'recording' ? PRIORITY.live : priority
  for (const chunk of next) await jobs.enqueue(tx, 'transcribe', dataOf(chunk), { projectId, priority: now })
}
