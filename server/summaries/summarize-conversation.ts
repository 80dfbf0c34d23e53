import { type Db, inTransaction, type Tx } from '../../database/database.ts'
import type { ConversationSummary } from '../../database/tables.ts'
import type { Logger } from '../../platform/log.ts'
import type { RunningJob } from '../background/queue.ts'
import {
  type ConversationRow,
  completeConversation,
  conversationById,
  failConversation,
  type Lifecycle,
  loadTranscript,
  lockConversation,
  type TranscriptPiece,
} from '../conversations/index.ts'
import { failureFields, finalFailure } from '../engines/engine-failure.ts'
import { summarizeByExtract } from './engines/extractive/summarizer.ts'
import { faultPoint } from './fault-points.ts'
import { promptsFor } from './prompts/index.ts'
import { EXTRACTIVE, type Summarizer, type Summary, type Utterance } from './summarizer.ts'
import { isUsable } from './unclear-words.ts'
import { withExtractiveFallback } from './with-extractive-fallback.ts'

export interface SummarizeParts extends Lifecycle {
  db: Db
  summarizer: Summarizer
  log: Logger
}

/** Writes title, points and tags of one conversation. A job of an earlier revision does nothing. */
export async function summarizeConversation(parts: SummarizeParts, job: RunningJob): Promise<void> {
  const { conversation_id, revision } = job.data as { conversation_id: string; revision: number }
  const row = await conversationById(parts.db, conversation_id)
    .where('revision', '=', revision)
    .where('status', '=', 'summarizing')
    .executeTakeFirst()
  if (!row) return
  try {
    const { summary, utterances } = await summarize(parts, row, job)
    faultPoint('after_summary')
    await ifWaiting(parts, row, (tx, now) =>
      completeConversation(parts, tx, now, {
        title: summary.title === '' ? null : summary.title,
        tags: summary.tags,
        summary: toStored(summary, utterances),
      }),
    )
  } catch (error) {
    const failure = finalFailure(error, job)
    if (failure === null) throw error
    const fields = { ...failureFields(error, job), component: 'summaries', code: failure }
    parts.log.warn(fields, 'Summary failed; the conversation is marked as failed')
    await ifWaiting(parts, row, (tx, now) => failConversation(parts, tx, now, `summary_${failure}`))
  }
}

async function summarize(
  parts: SummarizeParts,
  row: ConversationRow,
  job: RunningJob,
): Promise<{ summary: Summary; utterances: Utterance[] }> {
  const { db, summarizer, log } = parts
  const { signal } = job
  const pieces = await loadTranscript(db, row)
  const utterances = pieces.flatMap(toUtterance)
  const language = row.detected_language ?? row.language
  if (utterances.length > 0) {
    const request = { language, utterances, signal }
    const summary = await withExtractiveFallback(
      () => summarizer.summarize(request),
      () => summarizeByExtract(request),
      { job, log, component: 'summaries' },
    )
    return { summary, utterances }
  }
  return {
    summary: { ...EXTRACTIVE, title: titleWithoutWords(pieces, language), points: [], tags: [] },
    utterances,
  }
}

/** Says so in the conversation's language. Empty if there are only recordings that could not be transcribed. */
function titleWithoutWords(pieces: readonly TranscriptPiece[], language: string | null): string {
  const { nothingSaid, nothingUnderstood } = promptsFor(language)
  if (pieces.length === 0) return nothingSaid
  return pieces.some((piece) => !('gap' in piece)) ? nothingUnderstood : ''
}

/** Each point gets the start of its first utterance; null if all its utterances are text entries. */
function toStored(
  { method, model, fallback, points }: Summary,
  utterances: readonly Utterance[],
): ConversationSummary {
  const starts = new Map(utterances.map(({ id, start }) => [id, start]))
  return {
    method,
    model,
    ...(fallback && { fallback }),
    points: points.map(({ text, utterances: ids }) => {
      const seconds = ids.flatMap((id) => starts.get(id) ?? [])
      const start_ms = seconds.length === 0 ? null : Math.round(1000 * Math.min(...seconds))
      return { text, segments: ids, start_ms }
    }),
  }
}

function toUtterance(piece: TranscriptPiece): Utterance[] {
  if ('gap' in piece || !isUsable(piece)) return []
  if ('written' in piece) return [{ id: piece.id, start: null, text: piece.text }]
  const { id, start_ms, text, unclear = false } = piece
  return [{ id, start: start_ms / 1000, text, unclear }]
}

/** Writes only if the conversation still waits for this revision. Otherwise a newer job follows. */
async function ifWaiting(
  { db }: SummarizeParts,
  { id, revision }: ConversationRow,
  write: (tx: Tx, row: ConversationRow) => Promise<unknown>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const row = await lockConversation(tx, id)
    if (row?.status === 'summarizing' && row.revision === revision) await write(tx, row)
  })
}
