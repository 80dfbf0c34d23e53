import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { prepared } from '../../../database/prepared-statements.ts'
import type { ConversationSummary } from '../../../database/tables.ts'
import { guessLanguage } from '../../../grounding/text/lexicon.ts'
import { changeConversation } from '../find-conversation.ts'
import { type ConversationRow, payloadOf, summaryText } from '../payload.ts'
import { indexTranscript } from '../search/index-words.ts'
import type { TranscriptPiece } from '../transcript/load-transcript.ts'
import { plainTranscript } from '../transcript/time-line.ts'
import { beginSecondPass } from './begin-second-pass.ts'
import { type Lifecycle, PRIORITY } from './lifecycle.ts'

export type { ConversationJobs, Lifecycle } from './lifecycle.ts'
export { PRIORITY } from './lifecycle.ts'

/** Ends the recording: transcribes the remaining chunks; the summary follows. */
export async function finishConversation(
  lifecycle: Lifecycle,
  tx: Tx,
  row: ConversationRow,
  by: 'participant' | 'service',
): Promise<void> {
  const finished = await changeConversation(tx, row.id, {
    status: 'transcribing',
    finished_at: sql<string>`now()`,
    finished_by_participant: by === 'participant',
  })
  await enqueueStored(lifecycle, tx, finished, { those: 'waiting', priority: PRIORITY.live })
  await advance(lifecycle, tx, finished)
}

/** For audio that arrives after the end: the events fire again, with a higher revision. */
export async function reopenConversation(
  tx: Tx,
  row: Pick<ConversationRow, 'id' | 'status' | 'revision' | 'finished_at' | 'finished_by_participant'>,
): Promise<ConversationRow> {
  const hasFired = row.status === 'summarizing' || row.status === 'done' || row.status === 'failed'
  const revision = hasFired ? row.revision + 1 : row.revision
  // A participant who has finished the conversation does not have to finish it again.
  const stays = row.finished_by_participant
  return changeConversation(tx, row.id, {
    status: stays ? 'transcribing' : 'recording',
    finished_at: stays ? row.finished_at : null,
    failure: null,
    audio_failure: null,
    revision,
  })
}

/** Transcribes everything again, or only summarises again. */
export async function repeatFrom(
  lifecycle: Lifecycle,
  tx: Tx,
  row: ConversationRow,
  step: 'transcribing' | 'summarizing',
): Promise<ConversationRow> {
  const again = await changeConversation(tx, row.id, {
    status: step,
    failure: null,
    revision: row.revision + 1,
    // The language is detected again: it can have been wrong, or the host has corrected it.
    ...(step === 'transcribing' && { audio_failure: null, detected_language: null }),
  })
  if (step === 'summarizing') {
    await enqueueSummary(lifecycle, tx, again, PRIORITY.again)
    await enqueueMissingJoin(lifecycle.jobs, tx, again)
    return again
  }
  await tx
    .updateTable('chunks')
    .set({ state: 'stored', failure: null, transcribed_ms: null, waits_for_previous: false })
    .where('conversation_id', '=', row.id)
    .execute()
  await enqueueStored(lifecycle, tx, again, { those: 'all', priority: PRIORITY.again })
  await advance(lifecycle, tx, again)
  return again
}

/** Enqueues the jobs of the current step again. */
export async function resume(lifecycle: Lifecycle, tx: Tx, row: ConversationRow): Promise<void> {
  if (row.status === 'summarizing') return enqueueSummary(lifecycle, tx, row, PRIORITY.again)
  await enqueueStored(lifecycle, tx, row, { those: 'all', priority: PRIORITY.again })
  await advance(lifecycle, tx, row)
}

/** After the recording, when every chunk is transcribed or failed: emits the transcript and enqueues the summary. */
export async function advance(lifecycle: Lifecycle, tx: Tx, row: ConversationRow): Promise<void> {
  if (row.status !== 'transcribing') return
  const { total, waiting, hasText, failure } = await chunksOf(tx, row.id)
  if (waiting > 0) return
  // The recording is complete even if its transcription failed.
  if (total > 0) await enqueueJoin(lifecycle.jobs, tx, row)
  const changes: Parameters<typeof changeConversation>[2] = {
    // The length of missing chunks is estimated from the others, of which all are known now.
    missing_ms: totalMissingMs(row.id),
    ...(total === 0 && { audio_failure: 'no_chunks' }),
  }
  const isNothingReceived = total === 0 && (row.announced_chunks ?? 0) > 0
  const reason = failure ?? (isNothingReceived ? INCOMPLETE : null)
  if (!hasText && reason !== null)
    return failConversation(lifecycle, tx, await changeConversation(tx, row.id, changes), reason)
  await publishTranscript(lifecycle, tx, row, changes, PRIORITY.live)
}

/** The failure of a chunk that cannot be decoded without an earlier one, and of a conversation of whose audio nothing arrived. */
export const INCOMPLETE = 'incomplete'

export const totalMissingMs = (id: string): RawBuilder<number> =>
  sql`(select coalesce(sum(end_ms - start_ms), 0) from missing_audio(${id}))`

/** Publishes a text that replaces the transcript as one new revision, as if it had been transcribed again. */
export async function replaceTranscript(
  lifecycle: Lifecycle,
  tx: Tx,
  row: ConversationRow,
  changes: Partial<Pick<ConversationRow, 'transcript_model' | 'detected_language'>>,
): Promise<void> {
  const again = { ...changes, failure: null, revision: row.revision + 1 }
  const replaced = await publishTranscript(lifecycle, tx, row, again, PRIORITY.again)
  await enqueueMissingJoin(lifecycle.jobs, tx, replaced)
}

async function publishTranscript(
  lifecycle: Lifecycle,
  tx: Tx,
  row: ConversationRow,
  changes: Parameters<typeof changeConversation>[2],
  priority: number,
): Promise<ConversationRow> {
  const changed = await changeConversation(tx, row.id, { ...changes, status: 'summarizing' })
  const pieces = await indexTranscript(tx, changed)
  const transcribed = await withTypedLanguage(tx, changed, pieces)
  const transcript = plainTranscript(pieces)
  await lifecycle.emit(tx, {
    type: 'conversation.transcribed',
    projectId: row.project_id,
    conversation: { ...payloadOf(transcribed), transcript },
  })
  await enqueueSummary(lifecycle, tx, transcribed, priority)
  return transcribed
}

/** Nothing detects the language of typed text, so it is guessed from its words. */
async function withTypedLanguage(
  tx: Tx,
  row: ConversationRow,
  pieces: readonly TranscriptPiece[],
): Promise<ConversationRow> {
  if (payloadOf(row).language !== null) return row
  const language = guessLanguage(pieces.flatMap((piece) => ('written' in piece ? [piece.text] : [])))
  return language === null ? row : changeConversation(tx, row.id, { detected_language: language })
}

/** The last step. */
export async function completeConversation(
  lifecycle: Lifecycle,
  tx: Tx,
  row: ConversationRow,
  { title, tags, summary }: { title: string | null; tags: string[]; summary: ConversationSummary },
): Promise<void> {
  const done = await changeConversation(tx, row.id, {
    status: 'done',
    title: row.own_title ? row.title : (title ?? row.title),
    tags: row.own_tags ? row.tags : [...new Set([...row.tags, ...tags])],
    summary: JSON.stringify(summary),
  })
  const transcript = plainTranscript(await indexTranscript(tx, done))
  await lifecycle.emit(tx, {
    type: 'conversation.summarized',
    projectId: row.project_id,
    conversation: { ...payloadOf(done), transcript, summary: summaryText(done) ?? '' },
  })
  await beginSecondPass(lifecycle, tx, done)
}

/** A transcript stays readable after a failure. */
export async function failConversation(
  { emit }: Pick<Lifecycle, 'emit'>,
  tx: Tx,
  row: ConversationRow,
  failure: string,
): Promise<void> {
  const failed = await changeConversation(tx, row.id, { status: 'failed', failure })
  await emit(tx, {
    type: 'conversation.failed',
    projectId: row.project_id,
    conversation: { ...payloadOf(failed), failure },
  })
}

/** Waiting chunks have no job, because the chunk before them is missing. After the recording they get one, and fail if it still is. */
async function enqueueStored(
  { jobs }: Lifecycle,
  tx: Tx,
  { id: conversation_id, project_id: projectId }: ConversationRow,
  { those, priority }: { those: 'all' | 'waiting'; priority: number },
): Promise<void> {
  const stored = await tx
    .updateTable('chunks')
    .set({ waits_for_previous: false })
    .where('conversation_id', '=', conversation_id)
    .where('state', '=', 'stored')
    .$if(those === 'waiting', (chunks) => chunks.where('waits_for_previous', '=', true))
    .returning('seq')
    .execute()
  const chosen = stored.toSorted((one, other) => one.seq - other.seq)
  await jobs.enqueueAll(
    tx,
    'transcribe',
    chosen.map(({ seq }) => ({ data: { conversation_id, seq }, projectId, priority })),
  )
}

const enqueueSummary = (
  { jobs }: Lifecycle,
  tx: Tx,
  { id, project_id: projectId, revision }: ConversationRow,
  priority: number,
): Promise<void> => jobs.enqueue(tx, 'summarize', { conversation_id: id, revision }, { projectId, priority })

export const enqueueJoin = (
  jobs: Lifecycle['jobs'],
  tx: Tx,
  { id, project_id: projectId, revision }: ConversationRow,
): Promise<void> =>
  jobs.enqueue(tx, 'join_audio', { conversation_id: id, revision }, { projectId, priority: PRIORITY.again })

/** A job that joins the revision before would find it outdated, and leave the conversation without audio. */
async function enqueueMissingJoin(jobs: Lifecycle['jobs'], tx: Tx, row: ConversationRow): Promise<void> {
  if (row.audio === null && row.audio_failure === null) await enqueueJoin(jobs, tx, row)
}

interface ChunkCounts {
  total: number
  /** Neither transcribed nor failed. */
  waiting: number
  /** A chunk is transcribed, at least in part, or there is a text entry. */
  hasText: boolean
  /** The failure of one chunk; an unsupported language takes precedence. */
  failure: string | null
}

async function chunksOf(tx: Tx, id: string): Promise<ChunkCounts> {
  const { rows } = await sql<ChunkCounts>`${prepared}
    select count(*) as total, count(*) filter (where state = 'stored') as waiting,
      count(*) filter (where state = 'transcribed' or transcribed_ms > 0) > 0
        or exists (select from text_entries where conversation_id = ${id}) as "hasText",
      (array_agg(failure order by failure = 'unsupported_language' desc, seq) filter (where state = 'failed'))[1] as failure
    from chunks where conversation_id = ${id}`.execute(tx)
  return rows[0] as ChunkCounts
}
