import { sql, type UpdateObject } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import type { ConversationSummary, Tables } from '../../../database/tables.ts'
import type { Jobs } from '../../background/queue.ts'
import { type Emit, wakeProject } from '../../webhooks/index.ts'
import { loadTranscript } from '../load-transcript.ts'
import { type ConversationRow, payloadOf, summaryText } from '../payload.ts'
import { indexWords } from '../search/index-words.ts'

/**
 * The steps of a conversation: recording → transcribing → summarizing → done, or failed. Each is one transaction with its
 * event and its jobs, on a row that is locked.
 */
export interface Lifecycle {
  emit: Emit
  jobs: Jobs<ConversationJobs>
}

/** The jobs that a conversation needs; background/jobs.ts maps them to their handlers. */
export type ConversationJobs = {
  transcribe: { conversation_id: string; seq: number }
  summarize: { conversation_id: string; revision: number }
  join_audio: { conversation_id: string; revision: number }
  erase: { conversation_id: string }
}

/** Live chunks are heard before uploads, and both before what is done over again. */
export const PRIORITY = { live: 2, upload: 1, again: 0 }

/** Recording is over: what is not transcribed yet is, and then the rest follows by itself. */
export async function finishConversation(
  on: Lifecycle,
  tx: Tx,
  row: ConversationRow,
  by: 'participant' | 'service',
): Promise<void> {
  const finished = await setStatus(tx, row.id, {
    status: 'transcribing',
    finished_at: sql<string>`now()`,
    finished_by_participant: by === 'participant',
  })
  await enqueueStored(on, tx, finished, { those: 'waiting', priority: PRIORITY.live })
  await advance(on, tx, finished)
}

/** Audio that comes after the end: its events fire again, with a higher revision. */
export async function reopenConversation(
  tx: Tx,
  row: Pick<ConversationRow, 'id' | 'status' | 'revision' | 'finished_at' | 'finished_by_participant'>,
): Promise<ConversationRow> {
  const wasTold = row.status === 'summarizing' || row.status === 'done' || row.status === 'failed'
  const revision = wasTold ? row.revision + 1 : row.revision
  // Whoever said that they had finished need not say so again.
  const stays = row.finished_by_participant
  return setStatus(tx, row.id, {
    status: stays ? 'transcribing' : 'recording',
    finished_at: stays ? row.finished_at : null,
    failure: null,
    audio_failure: null,
    revision,
  })
}

/** Everything is heard again, or only summarised again. */
export async function repeatFrom(
  on: Lifecycle,
  tx: Tx,
  row: ConversationRow,
  step: 'transcribing' | 'summarizing',
): Promise<ConversationRow> {
  const again = await setStatus(tx, row.id, {
    status: step,
    failure: null,
    revision: row.revision + 1,
    // The language is recognised again, too: the first time may have been wrong, or the host corrected it.
    ...(step === 'transcribing' && { audio_failure: null, heard_language: null }),
  })
  if (step === 'summarizing') {
    await enqueueSummary(on, tx, again, PRIORITY.again)
    // A job that joins the revision before would find it outdated, and leave the conversation without audio.
    if (again.audio === null && again.audio_failure === null) await enqueueJoin(on.jobs, tx, again)
    return again
  }
  await tx
    .updateTable('chunks')
    .set({ state: 'stored', failure: null, heard_ms: null, waits: false })
    .where('conversation_id', '=', row.id)
    .execute()
  await enqueueStored(on, tx, again, { those: 'all', priority: PRIORITY.again })
  await advance(on, tx, again)
  return again
}

/** Whatever it waits for is asked for again. */
export async function goOn(on: Lifecycle, tx: Tx, row: ConversationRow): Promise<void> {
  if (row.status === 'summarizing') return enqueueSummary(on, tx, row, PRIORITY.again)
  await enqueueStored(on, tx, row, { those: 'all', priority: PRIORITY.again })
  await advance(on, tx, row)
}

/** When recording is over and every chunk was heard or given up: the transcript is told of, and summarised. */
export async function advance(on: Lifecycle, tx: Tx, row: ConversationRow): Promise<void> {
  if (row.status !== 'transcribing') return
  const { total, waiting, heard, failure } = await chunksOf(tx, row.id)
  if (waiting > 0) return
  // The recording is intact whatever became of its text.
  if (total > 0) await enqueueJoin(on.jobs, tx, row)
  const silent = heard === 0 && !(await hasWritings(tx, row.id))
  if (silent && failure !== null) return failConversation(on, tx, row, failure)
  const transcribed = await setStatus(tx, row.id, {
    status: 'summarizing',
    ...(total === 0 && { audio_failure: 'no_chunks' }),
  })
  const { text } = await loadTranscript(tx, transcribed)
  await indexWords(tx, transcribed, text)
  await on.emit(tx, {
    type: 'conversation.transcribed',
    projectId: row.project_id,
    conversation: { ...payloadOf(transcribed), transcript: text },
  })
  await enqueueSummary(on, tx, transcribed, PRIORITY.live)
}

export interface NewSummary {
  title: string | null
  tags: string[]
  summary: ConversationSummary
}

/** The end of the way. */
export async function completeConversation(
  on: Lifecycle,
  tx: Tx,
  row: ConversationRow,
  { title, tags, summary }: NewSummary,
): Promise<void> {
  const done = await setStatus(tx, row.id, {
    status: 'done',
    title: row.own_title ? row.title : (title ?? row.title),
    tags: row.own_tags ? row.tags : [...new Set([...row.tags, ...tags])],
    summary: JSON.stringify(summary),
  })
  const { text } = await loadTranscript(tx, done)
  await indexWords(tx, done, text)
  await on.emit(tx, {
    type: 'conversation.summarized',
    projectId: row.project_id,
    conversation: { ...payloadOf(done), transcript: text, summary: summaryText(done) ?? '' },
  })
}

/** Given up: the transcript, if there is one, stays readable. */
export async function failConversation(
  { emit }: Pick<Lifecycle, 'emit'>,
  tx: Tx,
  row: ConversationRow,
  failure: string,
): Promise<void> {
  const failed = await setStatus(tx, row.id, { status: 'failed', failure })
  await emit(tx, {
    type: 'conversation.failed',
    projectId: row.project_id,
    conversation: { ...payloadOf(failed), failure },
  })
}

type Changes = UpdateObject<Tables, 'conversations'>

async function setStatus(tx: Tx, id: string, changes: Changes): Promise<ConversationRow> {
  const row = await tx
    .updateTable('conversations')
    .set({ ...changes, changed: sql`pg_current_xact_id()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await wakeProject(tx, row.project_id)
  return row
}

/**
 * Those that wait have no job any more. Chunks that continue one which never came wait for it, too; when nothing more comes,
 * they are given up.
 */
async function enqueueStored(
  { jobs }: Lifecycle,
  tx: Tx,
  { id, project_id }: ConversationRow,
  { those, priority }: { those: 'all' | 'waiting'; priority: number },
): Promise<void> {
  const stored = await tx
    .updateTable('chunks')
    .set({ waits: false })
    .where('conversation_id', '=', id)
    .where('state', '=', 'stored')
    .$if(those === 'waiting', (chunks) => chunks.where('waits', '=', true))
    .returning('seq')
    .execute()
  const chosen = stored.toSorted((one, other) => one.seq - other.seq)
  await jobs.enqueueAll(
    tx,
    'transcribe',
    chosen.map(({ seq }) => ({ data: { conversation_id: id, seq }, projectId: project_id, priority })),
  )
}

const enqueueSummary = (
  { jobs }: Lifecycle,
  tx: Tx,
  { id, project_id, revision }: ConversationRow,
  priority: number,
): Promise<void> =>
  jobs.enqueue(tx, 'summarize', { conversation_id: id, revision }, { projectId: project_id, priority })

export const enqueueJoin = (
  jobs: Lifecycle['jobs'],
  tx: Tx,
  { id, project_id, revision }: Pick<ConversationRow, 'id' | 'project_id' | 'revision'>,
): Promise<void> =>
  jobs.enqueue(
    tx,
    'join_audio',
    { conversation_id: id, revision },
    { projectId: project_id, priority: PRIORITY.again },
  )

interface ChunkCounts {
  total: number
  /** Neither heard nor given up. */
  waiting: number
  /** At least in part. */
  heard: number
  /** Why one was given up; a language that nobody speaks here before all else. */
  failure: string | null
}

async function chunksOf(tx: Tx, id: string): Promise<ChunkCounts> {
  const { rows } = await sql<ChunkCounts>`
    select count(*) as total, count(*) filter (where state = 'stored') as waiting,
      count(*) filter (where state = 'transcribed' or heard_ms > 0) as heard,
      (array_agg(failure order by failure = 'unsupported_language' desc, seq) filter (where state = 'failed'))[1] as failure
    from chunks where conversation_id = ${id}`.execute(tx)
  return rows[0] as ChunkCounts
}

async function hasWritings(tx: Tx, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('writings')
    .select('id')
    .where('conversation_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
