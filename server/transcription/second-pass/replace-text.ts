import type { Tx } from '../../../database/database.ts'
import type { SegmentWord } from '../../../database/tables.ts'
import { newId } from '../../../platform/ids.ts'
import {
  type ConversationRow,
  type Lifecycle,
  moveCorrections,
  replaceTranscript,
} from '../../conversations/index.ts'
import { spokenLanguage } from '../spoken-language.ts'
import { INSERT_BATCH_SIZE, recordRemoved } from '../write-segments.ts'
import { type Chosen, chooseText } from './choose-text.ts'
import type { PassOutcome } from './end-pass.ts'
import { findFirstPass, type StoredSegment } from './find-first-pass.ts'
import { chunkAt, type TimeAxis } from './time-axis.ts'

interface SecondSegment {
  start: number
  end: number
  text: string
  language: string | null
  confidence: number | null
  words: SegmentWord[] | null
}

/** A segment of the new text. Times are those of the axis; words have times from `wordsFrom`. */
interface NewSegment extends SecondSegment {
  id: string
  chunk_seq: number
  speaker: string | null
  wordsFrom: number
}

/** Replaces the text of the locked conversation, in one revision; not at all if no word of it would change. */
export async function replaceText(
  lifecycle: Lifecycle,
  tx: Tx,
  row: ConversationRow,
  { passId, model }: { passId: string; model: string },
): Promise<PassOutcome> {
  const { axis, segments: first } = await findFirstPass(tx, row.id)
  const chosen = chooseText(first, await findSecond(tx, passId))
  if (isSame(first, chosen)) return 'kept'
  const segments = chosen.map((one) => toNewSegment(axis, one))
  await writeChanged(tx, row.id, axis, first, segments)
  await replaceTranscript(lifecycle, tx, row, {
    transcript_model: model,
    detected_language: (await spokenLanguage(tx, row.id)) ?? row.detected_language,
  })
  return 'replaced'
}

async function findSecond(tx: Tx, passId: string): Promise<SecondSegment[]> {
  const rows = await tx
    .selectFrom('second_pass_segments')
    .select(['start_ms as start', 'end_ms as end', 'text', 'language', 'confidence', 'words'])
    .where('pass_id', '=', passId)
    .orderBy('position')
    .execute()
  return rows
}

const isSame = (
  first: readonly StoredSegment[],
  chosen: readonly Chosen<StoredSegment, SecondSegment>[],
): boolean => chosen.length === first.length && chosen.every(({ from }) => from === 'first')

function toNewSegment(axis: TimeAxis, { from, segment }: Chosen<StoredSegment, SecondSegment>): NewSegment {
  if (from === 'first') return { ...segment, wordsFrom: segment.chunkStart }
  const chunk_seq = chunkAt(axis, segment.end)
  return { ...segment, id: segment.id ?? newId(), chunk_seq, wordsFrom: 0 }
}

/** Only chunks whose segments changed, so that streams do not send the others again. */
async function writeChanged(
  tx: Tx,
  conversation_id: string,
  { starts }: TimeAxis,
  first: readonly StoredSegment[],
  segments: readonly NewSegment[],
): Promise<void> {
  const before = Map.groupBy(first, ({ chunk_seq }) => chunk_seq)
  const after = Map.groupBy(segments, ({ chunk_seq }) => chunk_seq)
  const changed = [...starts.keys()].filter((seq) => !isEqual(before.get(seq) ?? [], after.get(seq) ?? []))
  const removed = await tx
    .deleteFrom('segments')
    .where('conversation_id', '=', conversation_id)
    .where('chunk_seq', 'in', changed)
    .returning('id')
    .execute()
  const rows = changed.flatMap((seq) =>
    (after.get(seq) ?? []).map((segment, position) => ({
      conversation_id,
      position,
      ...toRow(segment, starts.get(seq) ?? 0),
    })),
  )
  for (let n = 0; n < rows.length; n += INSERT_BATCH_SIZE)
    await tx
      .insertInto('segments')
      .values(rows.slice(n, n + INSERT_BATCH_SIZE))
      .execute()
  for (const seq of changed) {
    const chunkStart = starts.get(seq) ?? 0
    const moved = (after.get(seq) ?? []).map(({ id, start, end }) => ({
      id,
      start: start - chunkStart,
      end: end - chunkStart,
    }))
    await moveCorrections(tx, { conversation_id, seq }, moved)
  }
  const kept = rows.map(({ id }) => id)
  await recordRemoved(
    tx,
    { conversation_id },
    removed.map(({ id }) => id),
    kept,
  )
}

const isEqual = (before: readonly StoredSegment[], after: readonly NewSegment[]): boolean =>
  before.length === after.length &&
  before.every(({ id, text }, n) => after[n]?.id === id && after[n]?.text === text)

const toRow = (segment: NewSegment, chunkStart: number) => {
  const { id, chunk_seq, start, end, text, language, confidence, speaker, words, wordsFrom } = segment
  const shift = wordsFrom - chunkStart
  return {
    id,
    chunk_seq,
    start_ms: start - chunkStart,
    end_ms: Math.max(start, end) - chunkStart,
    text,
    language,
    confidence,
    speaker,
    words:
      words &&
      JSON.stringify(
        words.map((word) => ({ ...word, start_ms: word.start_ms + shift, end_ms: word.end_ms + shift })),
      ),
  }
}
