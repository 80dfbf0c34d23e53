import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../database/database.ts'
import type { SegmentWord, SpeakerNames } from '../../../database/tables.ts'
import type { ConversationRow } from '../payload.ts'
import { type SegmentFields, segmentFields } from '../segments/segment-fields.ts'

/** Times are milliseconds from the start of the conversation. `text` is the corrected one, if there is a correction. */
export type SpokenPiece = Pick<SegmentFields, 'id' | 'start_ms' | 'end_ms' | 'text'> &
  Partial<SegmentFields> & { words?: SegmentWord[] | null }

/** One part of a transcript, in milliseconds from the start of the conversation. */
export type TranscriptPiece =
  | SpokenPiece
  | { gap: true; start_ms: number; end_ms: number; reason: string }
  | { id: string; written: true; at_ms: number; text: string }

interface SpokenRow {
  chunk_seq: number
  /** Null for a gap. */
  position: number | null
  /** The reason of a gap. */
  reason: string | null
  start_ms: number
  end_ms: number
  /** The start of a segment in its chunk. */
  in_chunk_ms: number | null
  id: string | null
  text: string | null
  corrected: string | null
  speaker: string | null
  language: string | null
  confidence: number | null
  edited_at: string | null
  words: SegmentWord[] | null
}

/** Everything that was spoken, written or lost, in the order of time. `plainTranscript` makes a text of it. */
export async function loadTranscript(
  db: Db | Tx,
  { id, started_at, speakers }: Pick<ConversationRow, 'id' | 'started_at' | 'speakers'>,
): Promise<TranscriptPiece[]> {
  const spoken = await selectSpoken(db, id)
  const written = await db
    .selectFrom('text_entries')
    .selectAll()
    .where('conversation_id', '=', id)
    .orderBy('id')
    .execute()
  return [
    ...spoken.flatMap((row) => toPiece(row, speakers ?? {})),
    ...written.map((row) => ({
      id: `w${row.id}`,
      written: true as const,
      at_ms: Math.max(0, Date.parse(row.written_at) - Date.parse(started_at)),
      text: row.content,
    })),
  ].sort((one, other) => timeOf(one) - timeOf(other))
}

const timeOf = (piece: TranscriptPiece): number => ('at_ms' in piece ? piece.at_ms : piece.start_ms)

/** A host can remove a segment with an empty correction. */
function toPiece(row: SpokenRow, names: SpeakerNames): TranscriptPiece[] {
  const { id, text, start_ms, end_ms, corrected } = row
  if (id === null || text === null) return [{ gap: true, start_ms, end_ms, reason: row.reason ?? 'unknown' }]
  if (corrected === '') return []
  const words = corrected === null ? wordsFrom(row.words, start_ms - (row.in_chunk_ms ?? 0)) : null
  return [{ ...segmentFields({ ...row, id, text }, names), words }]
}

/** The words with times from the start of the conversation. */
const wordsFrom = (words: SegmentWord[] | null, chunkStart: number): SegmentWord[] | null =>
  words?.map((word) => ({
    ...word,
    start_ms: Math.max(0, word.start_ms + chunkStart),
    end_ms: Math.max(0, word.end_ms + chunkStart),
  })) ?? null

/**
 * The chunks of the conversations with their starts, as `placed`. A failed chunk leaves a gap after its transcribed part, and a missing
 * one leaves a gap instead of it. A chunk that waits has its expected length, so that text after it is not too early.
 */
export const placedChunks = (ids: readonly string[]): RawBuilder<unknown> => sql`
    placed as (
      select given.id as conversation_id, chunk.*
      from unnest(${ids}::uuid[]) given (id) cross join lateral placed_chunks(given.id, expected => true) chunk
    )`

/** Reads everything in one statement, because segments move between chunks while they are transcribed. */
async function selectSpoken(db: Db | Tx, id: string): Promise<SpokenRow[]> {
  const { rows } = await sql<SpokenRow>`
    with ${placedChunks([id])}
    select s.chunk_seq, position, null as reason, placed.start_ms + s.start_ms as start_ms, placed.start_ms + s.end_ms as end_ms,
      s.start_ms as in_chunk_ms, s.id, s.text, k.text as corrected, speaker, language, confidence,
      k.edited_at, words
    from placed join segments s on s.conversation_id = ${id} and s.chunk_seq = placed.seq
      and (placed.state = 'transcribed' or placed.transcribed_ms > 0)
    left join segment_corrections k on k.segment_id = s.id
    union all
    select seq, null, failure, start_ms + transcribed_ms, start_ms + transcribed_ms + lost_ms, ${NO_SEGMENT}
    from placed where lost_ms > 0
    union all
    select seq, null, 'not_received', start_ms - missing_ms, start_ms, ${NO_SEGMENT} from placed where missing_ms > 0
    order by start_ms, chunk_seq, position`.execute(db)
  return rows
}

const NO_SEGMENT = sql`null, null, null, null, null, null, null, null, null`
