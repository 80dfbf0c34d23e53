import type { Tx } from '../../database/database.ts'
import { prepared } from '../../database/prepared-statements.ts'
import { newId } from '../../platform/ids.ts'
import { type Carried, carryCorrections, moveCorrections, openCorrections } from '../conversations/index.ts'
import type { ChunkRow } from './find-file-chunks.ts'
import type { Overlap } from './find-overlap.ts'
import { joinOverlap, type Phrase } from './overlap.ts'
import { speakersOf } from './speakers.ts'

/** Times are milliseconds from the start of the chunk. */
interface Transcribed {
  overlap: Overlap
  phrases: Phrase[]
  /** The language of segments that state none. */
  language: string | null
  transcribedTo: number
}

/** A stored phrase that was transcribed again. */
interface EarlierSegment extends Phrase {
  id: string
}

/** Replaces the segments of a chunk, or adds those of its next part. Corrections stay where the new segments have the same times. */
export async function writeSegments(tx: Tx, chunk: ChunkRow, transcribed: Transcribed): Promise<void> {
  const removed = chunk.transcribed_ms === null ? await deleteAll(tx, chunk) : []
  const { replaced, segments } = await mergeOverlap(tx, chunk, transcribed)
  removed.push(...(await deleteSegments(tx, replaced)))
  const carried = segments.flatMap(({ id }) => id ?? [])
  // A correction whose segment waits to be transcribed again in another chunk.
  removed.push(
    ...(await deleteSegments(
      tx,
      carried.map((id) => ({ id })),
    )),
  )
  await insert(tx, chunk, segments, transcribed.language)
  await moveCorrections(tx, chunk, segments)
  await recordRemoved(tx, chunk, removed, carried)
}

/** A chunk without audio adds nothing. A corrected phrase is replaced only if a new one takes the correction over. */
async function mergeOverlap(
  tx: Tx,
  chunk: ChunkRow,
  { overlap, phrases, transcribedTo }: Transcribed,
): Promise<{ replaced: EarlierSegment[]; segments: Carried<Phrase>[] }> {
  if (transcribedTo <= overlap.transcribedTo) return { replaced: [], segments: [] }
  const earlier = await findEarlier(tx, chunk, overlap)
  const labelled = speakersOf(chunk.seq, phrases, earlier)
  const earlierIds = earlier.map(({ id }) => id)
  const corrections = await openCorrections(tx, chunk, earlierIds)
  const carried = carryCorrections(labelled, corrections)
  const isLost = ({ id }: EarlierSegment): boolean =>
    corrections.some((correction) => correction.id === id) && carried.every((one) => one.id !== id)
  const { replaced, added } = joinOverlap(earlier, labelled, isLost)
  const stays = earlierIds.filter((id) => replaced.every((one) => one.id !== id))
  const applicable = corrections.filter(({ id }) => !stays.includes(id))
  return { replaced, segments: carryCorrections(added, applicable) }
}

async function findEarlier(
  tx: Tx,
  { conversation_id }: ChunkRow,
  { earlierPhrases }: Overlap,
): Promise<EarlierSegment[]> {
  const found: EarlierSegment[] = []
  for (const { seq, position, ...phrase } of earlierPhrases) {
    const row = await tx
      .selectFrom('segments')
      .select(['id', 'speaker'])
      .where((is) => is.and({ conversation_id, chunk_seq: seq, position }))
      .executeTakeFirst()
    if (row) found.push({ ...phrase, id: row.id, ...(row.speaker !== null && { speaker: row.speaker }) })
  }
  return found
}

async function deleteAll(tx: Tx, { conversation_id, seq }: ChunkRow): Promise<string[]> {
  const rows = await tx
    .deleteFrom('segments')
    .where((is) => is.and({ conversation_id, chunk_seq: seq }))
    .returning('id')
    .modifyEnd(prepared)
    .execute()
  return rows.map(({ id }) => id)
}

async function deleteSegments(tx: Tx, segments: readonly { id: string }[]): Promise<string[]> {
  if (segments.length === 0) return []
  const ids = segments.map(({ id }) => id)
  const rows = await tx.deleteFrom('segments').where('id', 'in', ids).returning('id').execute()
  return rows.map(({ id }) => id)
}

/** PostgreSQL allows 65,535 parameters in a statement. */
export const INSERT_BATCH_SIZE = 4_000

async function insert(
  tx: Tx,
  { conversation_id, seq }: ChunkRow,
  segments: readonly Carried<Phrase>[],
  language: string | null,
): Promise<void> {
  const { last } = await tx
    .selectFrom('segments')
    .select(({ fn }) => fn.max('position').as('last'))
    .where((is) => is.and({ conversation_id, chunk_seq: seq }))
    .modifyEnd(prepared)
    .executeTakeFirstOrThrow()
  const first = (last ?? -1) + 1
  const rows = segments.map((segment, n) => ({
    conversation_id,
    chunk_seq: seq,
    position: first + n,
    ...rowOf({ ...(language !== null && { language }), ...segment }),
  }))
  for (let n = 0; n < rows.length; n += INSERT_BATCH_SIZE)
    await tx
      .insertInto('segments')
      .values(rows.slice(n, n + INSERT_BATCH_SIZE))
      .execute()
}

export const rowOf = ({ id, start, end, text, language, confidence, words, speaker }: Carried<Phrase>) => ({
  id: id ?? newId(),
  start_ms: start,
  end_ms: Math.max(start, end),
  text: stored(text),
  language: language ?? null,
  confidence: confidence === undefined ? null : share(confidence),
  words: words
    ? JSON.stringify(
        words.map((word) => ({
          text: stored(word.text),
          start_ms: word.start,
          end_ms: word.end,
          confidence: share(word.confidence),
        })),
      )
    : null,
  speaker: speaker === undefined ? null : stored(speaker),
})

/** PostgreSQL stores neither NUL nor lone surrogates. */
const stored = (text: string): string => text.replaceAll('\0', '').toWellFormed()

const share = (confidence: number): number => Math.round(1000 * Math.min(Math.max(confidence, 0), 1)) / 1000

/** Streams of this age have sent the removal, or read the transcript again. */
const REMOVED_HOURS = 24

export async function recordRemoved(
  tx: Tx,
  { conversation_id }: Pick<ChunkRow, 'conversation_id'>,
  removed: readonly string[],
  carried: readonly string[],
): Promise<void> {
  const gone = removed.filter((id) => !carried.includes(id))
  if (gone.length > 0)
    await tx
      .insertInto('removed_segments')
      .values(gone.map((id) => ({ id, conversation_id })))
      .onConflict((is) => is.column('id').doNothing())
      .execute()
  if (gone.length > 0 || carried.length > 0)
    await tx
      .deleteFrom('removed_segments')
      .where('conversation_id', '=', conversation_id)
      .where(({ eb, or }) =>
        or([
          eb('changed_at', '<', new Date(Date.now() - REMOVED_HOURS * 3_600_000).toISOString()),
          ...(carried.length > 0 ? [eb('id', 'in', carried)] : []),
        ]),
      )
      .execute()
}
