import { sql } from 'kysely'
import type { Db, Tx } from '../kernel/database.ts'
import type { ConversationRow } from './payload.ts'

/** One thing on a conversation's time line, in milliseconds from its beginning. */
export type TranscriptPiece =
  | { id: string; start_ms: number; end_ms: number; text: string }
  | { gap: true; start_ms: number; end_ms: number; reason: string }
  | { id: string; written: true; at_ms: number; text: string }

export interface Transcript {
  pieces: TranscriptPiece[]
  /** What was said and written, a line each. */
  text: string
}

interface SpokenRow {
  seq: number
  state: string
  failure: string | null
  chunk_start_ms: number
  chunk_ms: number
  place: number | null
  start_ms: number
  end_ms: number
  text: string
}

/** A chunk that was given up has no length of its own; the mark must not be of none. */
const UNKNOWN_MS = 1_000

/** Everything that was said, written or lost, in the order of time. */
export async function loadTranscript(
  db: Db | Tx,
  { id, started_at }: Pick<ConversationRow, 'id' | 'started_at'>,
): Promise<Transcript> {
  const spoken = await selectSpoken(db, id)
  const written = await db
    .selectFrom('writings')
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

function toPiece(row: SpokenRow): TranscriptPiece {
  const { seq, place, chunk_start_ms: from } = row
  if (place === null)
    return { gap: true, start_ms: from, end_ms: from + row.chunk_ms, reason: row.failure ?? 'unknown' }
  return { id: `${seq}.${place}`, start_ms: from + row.start_ms, end_ms: from + row.end_ms, text: row.text }
}

/** Where a chunk begins follows from the lengths of those before it. A failed chunk is one row without text. */
async function selectSpoken(db: Db | Tx, id: string): Promise<SpokenRow[]> {
  const { rows } = await sql<SpokenRow>`
    with chunk as (
      select seq, state, failure, coalesce(duration_ms, ${UNKNOWN_MS}) as chunk_ms,
        (sum(coalesce(duration_ms, ${UNKNOWN_MS})) over (order by seq))::integer - coalesce(duration_ms, ${UNKNOWN_MS}) as chunk_start_ms
      from chunks where conversation_id = ${id} and state <> 'stored'
    )
    select chunk.*, s.place, s.start_ms, s.end_ms, s.text
    from chunk
    left join segments s on s.conversation_id = ${id} and s.chunk_seq = chunk.seq and chunk.state = 'transcribed'
    where chunk.state = 'failed' or s.place is not null
    order by chunk.seq, s.place`.execute(db)
  return rows
}
