import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../database/database.ts'
import type { RunningJob } from '../../background/queue.ts'
import {
  type ConversationRow,
  conversationById,
  enqueueSecondPass,
  lockConversation,
} from '../../conversations/index.ts'
import { failureFields, finalFailure } from '../../engines/engine-failure.ts'
import { faultPoint } from '../fault-points.ts'
import { projectOf } from '../find-file-chunks.ts'
import type { Phrase } from '../overlap.ts'
import type { TranscribeParts } from '../transcribe-chunk.ts'
import { rowOf } from '../write-segments.ts'
import { endPass, type PassOutcome } from './end-pass.ts'
import { type FirstPass, findFirstPass } from './find-first-pass.ts'
import { replaceText } from './replace-text.ts'
import { nextPart } from './time-axis.ts'
import { transcribePart } from './transcribe-part.ts'

export interface SecondPassParts extends TranscribeParts {
  /** Counts a pass that ended, for the metrics. */
  onSecondPass(outcome: PassOutcome): void
}

/** A pass that has not ended. */
interface Pass {
  id: string
  doneMs: number
}

/**
 * Transcribes the next part of a finished conversation by the better model, and enqueues the one after it. At the end the text
 * replaces that of the first pass, as one revision. If it fails, the first text stays.
 */
export async function runSecondPass(parts: SecondPassParts, job: RunningJob): Promise<void> {
  const { conversation_id, pass_id: id } = job.data as { conversation_id: string; pass_id: string }
  const model = parts.transcriber.capabilities.models?.best
  const found = await findPass(parts, conversation_id, id)
  const outcome = async (ended: PassOutcome | null): Promise<void> => {
    if (ended) parts.onSecondPass(ended)
  }
  if (!found || model === undefined) return outcome(await dropPass(parts, conversation_id, id))
  try {
    await outcome(await transcribeNext(parts, found, model, job.signal))
  } catch (error) {
    const failure = finalFailure(error, job)
    if (failure === null) throw error
    const fields = { ...failureFields(error, job), component: 'transcription', code: failure }
    parts.log.warn(fields, 'Second pass of a conversation failed; its first transcript stays')
    await outcome(await withPass(parts, conversation_id, id, null, (tx) => endPass(tx, id, 'failed')))
  }
}

interface FoundPass {
  pass: Pass
  conversation: ConversationRow
}

async function findPass(
  { db }: SecondPassParts,
  conversationId: string,
  id: string,
): Promise<FoundPass | null> {
  const conversation = await conversationById(db, conversationId).executeTakeFirst()
  const row = await db.selectFrom('second_passes').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !conversation || isOutdated(conversation)) return null
  return { pass: { id, doneMs: row.done_ms }, conversation }
}

/** Whether audio is being transcribed by the fast model, or was since the pass began: another pass follows. */
const isOutdated = ({ status, second_pass }: ConversationRow): boolean =>
  second_pass !== 'waiting' || status === 'recording' || status === 'transcribing'

/** Returns the outcome of a pass that has ended. */
async function transcribeNext(
  parts: SecondPassParts,
  { pass, conversation }: FoundPass,
  model: string,
  signal: AbortSignal,
): Promise<PassOutcome | null> {
  const first = await findFirstPass(parts.db, conversation.id)
  const part = nextPart(first.axis, first.segments, pass.doneMs)
  if (part === null)
    return withPass(parts, conversation.id, pass.id, pass, async (tx, row) =>
      endPass(tx, pass.id, await replaceText(parts, tx, row, { passId: pass.id, model })),
    )
  const context = {
    ...parts,
    conversation,
    project: await projectOf(parts.db, conversation.project_id),
    detected: await lastLanguage(parts, pass.id),
    signal,
  }
  // Where nothing can be decoded, the first text stays.
  const phrases = (await transcribePart(context, first.axis, part)) ?? unchanged(first, part)
  faultPoint('after_transcription')
  return withPass(parts, conversation.id, pass.id, pass, async (tx, row) => {
    await storePhrases(tx, pass.id, phrases)
    await tx
      .updateTable('second_passes')
      .set({ done_ms: part.end, advanced_at: sql<string>`now()` })
      .where('id', '=', pass.id)
      .execute()
    await enqueueSecondPass(parts.jobs, tx, row, pass.id)
    return null
  })
}

const unchanged = ({ segments }: FirstPass, { start, end }: { start: number; end: number }): Phrase[] =>
  segments
    .filter((segment) => segment.end > start && segment.end <= end)
    .map(({ start, end, text }) => ({ start, end, text }))

/**
 * Runs `work` on the locked conversation if the pass is still at the position where this job found it. Otherwise another job has done
 * the same part, or the pass was dropped.
 */
async function withPass(
  { db }: SecondPassParts,
  conversationId: string,
  id: string,
  expected: Pass | null,
  work: (tx: Tx, row: ConversationRow) => Promise<PassOutcome | null>,
): Promise<PassOutcome | null> {
  return inTransaction(db, async (tx) => {
    const row = await lockConversation(tx, conversationId)
    const now = await tx
      .selectFrom('second_passes')
      .select('done_ms')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!now) return 'dropped'
    if (!row || isOutdated(row)) return endPass(tx, id, 'dropped')
    return expected && now.done_ms !== expected.doneMs ? null : work(tx, row)
  })
}

/** Drops a second pass whose conversation has changed, or whose model is no longer configured. */
const dropPass = (parts: SecondPassParts, conversationId: string, id: string): Promise<PassOutcome | null> =>
  withPass(parts, conversationId, id, null, (tx) => endPass(tx, id, 'dropped'))

async function lastLanguage({ db }: SecondPassParts, passId: string): Promise<string | null> {
  const last = await db
    .selectFrom('second_pass_segments')
    .select('language')
    .where('pass_id', '=', passId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.language ?? null
}

async function storePhrases(tx: Tx, passId: string, phrases: readonly Phrase[]): Promise<void> {
  if (phrases.length === 0) return
  const rows = phrases.map((phrase) => {
    const { id: _, speaker: _speaker, ...row } = rowOf(phrase)
    return { pass_id: passId, ...row }
  })
  await tx.insertInto('second_pass_segments').values(rows).execute()
}
