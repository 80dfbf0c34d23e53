import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/database.ts'
import type { ConversationRow } from '../payload.ts'

/** One part of a transcript, in milliseconds from the start of the conversation. */
export type TranscriptPiece =
  | { id: string; start_ms: number; end_ms: number; text: string }
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
  text: string | null
}

/** Everything that was spoken, written or lost, in the order of time; `text` has the spoken and written lines. */
export async function loadTranscript(
  db: Db | Tx,
  { id, started_at }: Pick<ConversationRow, 'id' | 'started_at'>,
): Promise<{ pieces: TranscriptPiece[]; text: string }> {
  const spoken = await selectSpoken(db, id)
  const written = await db
    .selectFrom('text_entries')
    .selectAll()
    .where('conversation_id', '=', id)
    .orderBy('id')
    .execute()
  const pieces = [
    ...spoken.map(toPiece),
    ...written.map((row) => ({
      id: `w${row.id}`,
      written: true as const,
      at_ms: Math.max(0, Date.parse(row.written_at) - Date.parse(started_at)),
      text: row.content,
    })),
  ].sort((one, other) => timeOf(one) - timeOf(other))
  return { pieces, text: pieces.flatMap((piece) => ('text' in piece ? [piece.text] : [])).join('\n') }
}

const timeOf = (piece: TranscriptPiece): number => ('at_ms' in piece ? piece.at_ms : piece.start_ms)

function toPiece({ chunk_seq, position, reason, start_ms, end_ms, text }: SpokenRow): TranscriptPiece {
  if (position === null) return { gap: true, start_ms, end_ms, reason: reason ?? 'unknown' }
  return { id: `${chunk_seq}.${position}`, start_ms: Math.max(0, start_ms), end_ms, text: text ?? '' }
}

/**
 * A failed chunk leaves a gap after its transcribed part, and a missing one leaves a gap instead of it. In one statement, because segments move between chunks while they are transcribed.
 */
async function selectSpoken(db: Db | Tx, id: string): Promise<SpokenRow[]> {
  const { rows } = await sql<SpokenRow>`
    with placed as (select * from placed_chunks(${id}))
    select chunk_seq, position, null as reason, placed.start_ms + s.start_ms as start_ms, placed.start_ms + s.end_ms as end_ms, text
    from placed join segments s on s.conversation_id = ${id} and s.chunk_seq = placed.seq
      and (placed.state = 'transcribed' or placed.transcribed_ms > 0)
    union all
    select seq, null, failure, start_ms + transcribed_ms, start_ms + transcribed_ms + lost_ms, null from placed where lost_ms > 0
    union all
    select seq, null, 'not_received', start_ms - missing_ms, start_ms, null from placed where missing_ms > 0
    order by start_ms, chunk_seq, position`.execute(db)
  return rows
}
