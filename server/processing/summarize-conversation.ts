import {
  type ConversationRow,
  completeConversation,
  failConversation,
  type Lifecycle,
  loadTranscript,
  lockConversation,
  type TranscriptPiece,
} from '../conversations/index.ts'
import { type Db, inTransaction } from '../kernel/database.ts'
import { faultPoint } from '../kernel/fault-points.ts'
import type { RunningJob } from '../kernel/jobs.ts'
import { givenUp } from './engine-failure.ts'
import { promptsFor } from './prompts/index.ts'
import type { Summarizer, Summary, Utterance } from './summarizer.ts'

export interface SummarizeParts extends Lifecycle {
  db: Db
  summarizer: Summarizer
}

/** Title, points and tags of one conversation. A job of an earlier revision has nothing to do any more. */
export async function summarizeConversation(parts: SummarizeParts, job: RunningJob): Promise<void> {
  const { conversation_id, revision } = job.data as { conversation_id: string; revision: number }
  const row = await findWaiting(parts.db, conversation_id, revision)
  if (!row) return
  try {
    const summary = await summarize(parts, row, job.signal)
    faultPoint('after_summary')
    await ifWaiting(parts, row, (tx, now) =>
      completeConversation(parts, tx, now, {
        title: summary.title === '' ? null : summary.title,
        tags: summary.tags,
        summary: {
          method: parts.summarizer.capabilities.method,
          points: summary.points.map(({ text, utterances }) => ({ text, segments: utterances })),
        },
      }),
    )
  } catch (error) {
    const failure = givenUp(error, job)
    if (failure === null) throw error
    await ifWaiting(parts, row, (tx, now) => failConversation(tx, now, `summary_${failure}`))
  }
}

const findWaiting = (db: Db, id: string, revision: number): Promise<ConversationRow | undefined> =>
  db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', id)
    .where('revision', '=', revision)
    .where('status', '=', 'summarizing')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** Says so, in the conversation's language; but not where something was said that could not be heard. */
const nothingSaid = (language: string | null, pieces: TranscriptPiece[]): Summary => ({
  title: pieces.length === 0 ? promptsFor(language).nothingSaid : '',
  points: [],
  tags: [],
})

async function summarize(
  { db, summarizer }: SummarizeParts,
  row: ConversationRow,
  signal: AbortSignal,
): Promise<Summary> {
  const { pieces } = await loadTranscript(db, row)
  const utterances = pieces.flatMap(toUtterance)
  const language = row.heard_language ?? row.language
  if (utterances.length === 0) return nothingSaid(language, pieces)
  return summarizer.summarize({ language, utterances, signal })
}

function toUtterance(piece: TranscriptPiece): Utterance[] {
  if ('gap' in piece) return []
  return [{ id: piece.id, start: 'written' in piece ? null : piece.start_ms / 1000, text: piece.text }]
}

/** Nothing is written when the conversation went on meanwhile: a newer job comes. */
async function ifWaiting(
  { db }: SummarizeParts,
  { id, revision }: ConversationRow,
  write: (tx: Parameters<typeof lockConversation>[0], row: ConversationRow) => Promise<unknown>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const row = await lockConversation(tx, id)
    if (row?.status === 'summarizing' && row.revision === revision) await write(tx, row)
  })
}
