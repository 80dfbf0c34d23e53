import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Selectable, sql } from 'kysely'
import {
  advance,
  type ConversationRow,
  chunkKey,
  type Lifecycle,
  lockConversation,
  URGENCY,
} from '../conversations/index.ts'
import { type Db, inTransaction, type Tx } from '../kernel/database.ts'
import { faultPoint } from '../kernel/fault-points.ts'
import type { FileStore } from '../kernel/files/file-store.ts'
import type { RunningJob } from '../kernel/jobs.ts'
import { openScratch } from '../kernel/scratch.ts'
import type { Tables } from '../kernel/tables.ts'
import { givenUp } from './engine-failure.ts'
import { candidatesOf, languageOf } from './language.ts'
import type { Container, Transcriber, Transcription } from './transcriber.ts'

export interface TranscribeParts extends Lifecycle {
  db: Db
  files: FileStore
  transcriber: Transcriber
}

type ChunkRow = Selectable<Tables['chunks']>
type ProjectRow = Pick<Selectable<Tables['projects']>, 'language' | 'languages' | 'hotwords'>

/** Chunks that are one file together: a head, and what continues it. */
interface Run {
  conversation: ConversationRow
  project: ProjectRow
  /** From the head to the chunk that is to be heard, which is the last. */
  chunks: ChunkRow[]
  chunk: ChunkRow
}

/** Hears one chunk. Whatever comes of it is written once: a job that runs again finds the chunk settled. */
export async function transcribeChunk(parts: TranscribeParts, job: RunningJob): Promise<void> {
  const { conversation_id, seq } = job.data as { conversation_id: string; seq: number }
  const run = await findRun(parts.db, conversation_id, seq)
  if (run === null) return
  if (run === 'lost') return settle(parts, conversation_id, seq, { failure: 'incomplete' })
  try {
    const from = startOf(run)
    const transcription = await transcribe(parts, run, from, job.signal)
    faultPoint('after_transcription')
    const outcome = isForeign(run, transcription.duration - from)
      ? { failure: 'unreadable' }
      : { transcription, from }
    await settle(parts, conversation_id, seq, outcome)
  } catch (error) {
    const failure = givenUp(error, job)
    if (failure === null) throw error
    await settle(parts, conversation_id, seq, { failure })
  }
}

/** So many bytes are no mere end of a recording. */
const FOREIGN_BYTES = 4_000
const FOREIGN_SECONDS = 0.1

/** Bytes that were taken for a continuation, as they have no head, and that the decoder passed over: a gap, and no silence. */
const isForeign = ({ chunks, chunk }: Run, seconds: number): boolean =>
  chunks.length > 1 && chunk.bytes > FOREIGN_BYTES && seconds < FOREIGN_SECONDS

/** Null: there is nothing to do, or not yet. `lost`: what it continues never came, and never will. */
async function findRun(db: Db, conversationId: string, seq: number): Promise<Run | 'lost' | null> {
  const conversation = await db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', conversationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!conversation) return null
  const chunks = await runUpTo(db, conversationId, seq)
  const chunk = chunks.at(-1)
  if (chunk?.seq !== seq || chunk.state !== 'stored') return null
  const isWhole = chunks[0]?.container !== null && chunks.length === seq - (chunks[0]?.seq ?? 0) + 1
  const before = chunks.slice(0, -1)
  // Those before it are heard first, since where it begins follows from them; they enqueue it when they are.
  if (isWhole && before.every(({ state }) => state !== 'stored'))
    return { conversation, project: await projectOf(db, conversation.project_id), chunks, chunk }
  return !isWhole && conversation.status === 'transcribing' ? 'lost' : null
}

async function runUpTo(db: Db, conversationId: string, seq: number): Promise<ChunkRow[]> {
  const head = await db
    .selectFrom('chunks')
    .select('seq')
    .where('conversation_id', '=', conversationId)
    .where('seq', '<=', seq)
    .where('container', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return db
    .selectFrom('chunks')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('seq', '>=', head?.seq ?? seq)
    .where('seq', '<=', seq)
    .orderBy('seq')
    .execute()
}

const projectOf = (db: Db, id: string): Promise<ProjectRow> =>
  db
    .selectFrom('projects')
    .select(['language', 'languages', 'hotwords'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

/** Where in the run's audio the chunk begins, in seconds. */
const startOf = ({ chunks }: Run): number =>
  chunks.slice(0, -1).reduce((sum, { duration_ms }) => sum + (duration_ms ?? 0), 0) / 1000

async function transcribe(
  { files, transcriber }: TranscribeParts,
  run: Run,
  from: number,
  signal: AbortSignal,
): Promise<Transcription> {
  const { conversation, project, chunks } = run
  const hear = (path: string) =>
    transcriber.transcribe({
      path,
      container: chunks[0]?.container as Container,
      language: languageOf(conversation, project),
      candidates: candidatesOf(project),
      hotwords: project.hotwords,
      from,
      signal,
    })
  const keys = chunks.map(({ seq, digest }) => chunkKey(conversation.id, seq, digest))
  if (keys.length > 1) return withJoined(files, keys, hear)
  return files.withPaths(keys, ([path]) => hear(path as string))
}

/** The bytes of all, one after the other, in a file for the moment. */
async function withJoined<T>(
  files: FileStore,
  keys: string[],
  use: (path: string) => Promise<T>,
): Promise<T> {
  await using scratch = await openScratch()
  const path = join(scratch.path, 'run')
  for (const key of keys) await pipeline(await files.read(key), createWriteStream(path, { flags: 'a' }))
  return await use(path)
}

type Outcome = { transcription: Transcription; from: number } | { failure: string }

async function settle(parts: TranscribeParts, id: string, seq: number, outcome: Outcome): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const row = await lockConversation(tx, id)
    if (!row || !(await isStored(tx, id, seq))) return
    const heard =
      'failure' in outcome ? await giveUp(tx, id, seq, outcome.failure) : await write(tx, row, seq, outcome)
    await wakeFollower(parts, tx, row, seq)
    await advance(parts, tx, heard ?? row)
  })
}

async function isStored(tx: Tx, id: string, seq: number): Promise<boolean> {
  const chunk = await tx
    .selectFrom('chunks')
    .select('state')
    .where('conversation_id', '=', id)
    .where('seq', '=', seq)
    .executeTakeFirst()
  return chunk?.state === 'stored'
}

async function giveUp(tx: Tx, id: string, seq: number, failure: string): Promise<null> {
  await tx
    .updateTable('chunks')
    .set({ state: 'failed', failure })
    .where('conversation_id', '=', id)
    .where('seq', '=', seq)
    .execute()
  return null
}

/** Times are kept from the beginning of the chunk. */
async function write(
  tx: Tx,
  { id, heard_language }: ConversationRow,
  seq: number,
  { transcription, from }: { transcription: Transcription; from: number },
): Promise<ConversationRow> {
  const { language, duration, segments } = transcription
  const inChunk = (seconds: number) => Math.max(0, Math.round((seconds - from) * 1000))
  await tx.deleteFrom('segments').where('conversation_id', '=', id).where('chunk_seq', '=', seq).execute()
  const rows = segments.map(({ start, end, text }, place) => ({
    conversation_id: id,
    chunk_seq: seq,
    place,
    start_ms: inChunk(start),
    end_ms: inChunk(end),
    text: text.replaceAll('\0', '').toWellFormed(),
  }))
  // PostgreSQL takes 65,535 parameters in a statement.
  for (let n = 0; n < rows.length; n += 5_000)
    await tx
      .insertInto('segments')
      .values(rows.slice(n, n + 5_000))
      .execute()
  await tx
    .updateTable('chunks')
    .set({ state: 'transcribed', failure: null, duration_ms: inChunk(duration), language })
    .where('conversation_id', '=', id)
    .where('seq', '=', seq)
    .execute()
  return tx
    .updateTable('conversations')
    .set({
      duration_ms: sql`(select coalesce(sum(duration_ms), 0) from chunks where conversation_id = ${id})`,
      heard_language: heard_language ?? language,
      changed: sql`pg_current_xact_id()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The chunk that continues this one could not be heard before it. */
async function wakeFollower({ jobs }: Lifecycle, tx: Tx, { id, project_id }: ConversationRow, seq: number) {
  const next = await tx
    .selectFrom('chunks')
    .select('seq')
    .where('conversation_id', '=', id)
    .where('seq', '=', seq + 1)
    .where('container', 'is', null)
    .where('state', '=', 'stored')
    .executeTakeFirst()
  if (!next) return
  const data = { conversation_id: id, seq: next.seq }
  await jobs.enqueue(tx, 'transcribe', data, { projectId: project_id, urgency: URGENCY.live })
}
