import { sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { prepared } from '../../../database/prepared-statements.ts'

interface Span {
  start: number
  end: number
}

/** The fields of a new segment that merging concerns. */
interface NewSegment extends Span {
  text: string
  speaker?: string
  confidence?: number
  words?: readonly object[]
}

/** With the id of the correction that applies to it. */
export type Carried<T> = T & { id?: string }

interface ChunkKey {
  conversation_id: string
  seq: number
}

/** Engines report times to a third of a second, and another model can begin or end a phrase at another breath. */
const TOLERANCE_MS = 1_000

/**
 * The new segments, with corrections where the times match. If the engine now splits what it had transcribed as one segment, the
 * corrected text replaces all parts, so that no word appears twice; parts of different speakers stay as they are.
 */
export function carryCorrections<T extends NewSegment>(
  segments: readonly T[],
  corrections: readonly (Span & { id: string })[],
): Carried<T>[] {
  let carried: Carried<T>[] = [...segments]
  for (const correction of corrections) {
    const parts = carried.filter((one) => one.id === undefined && isWithin(one, correction))
    const [first, last] = [parts[0], parts.at(-1)]
    const isMatch =
      first &&
      last &&
      Math.abs(first.start - correction.start) <= TOLERANCE_MS &&
      Math.abs(last.end - correction.end) <= TOLERANCE_MS &&
      parts.every(({ speaker }) => speaker === first.speaker)
    if (!isMatch) continue
    const whole = { ...merge(parts, first, last), id: correction.id }
    carried = carried.flatMap((one) => (one === first ? [whole] : parts.includes(one) ? [] : [one]))
  }
  return carried
}

const isWithin = (one: Span, span: Span): boolean => {
  const middle = (one.start + one.end) / 2
  return middle >= span.start && middle <= span.end
}

function merge<T extends NewSegment>(parts: readonly T[], first: T, last: T): T {
  if (parts.length === 1) return first
  const confidences = parts.flatMap(({ confidence }) => confidence ?? [])
  const words = parts.flatMap((part) => part.words ?? [])
  return {
    ...first,
    end: last.end,
    text: parts.map(({ text }) => text).join(' '),
    ...(confidences.length > 0 && { confidence: Math.min(...confidences) }),
    ...(words.length > 0 && { words }),
  }
}

/**
 * Corrections without a current segment, newest first, and those of `replaced` segments. Times are milliseconds from the start of
 * the chunk. Segments of chunks that wait to be transcribed again are not current.
 */
export async function openCorrections(
  tx: Tx,
  { conversation_id, seq }: ChunkKey,
  replaced: readonly string[],
): Promise<(Span & { id: string })[]> {
  const { rows } = await sql<Span & { id: string }>`${prepared}
    with open as (
      select k.segment_id as id, k.chunk_seq, k.start_ms, k.end_ms, k.edited_at
      from segment_corrections k
      where k.conversation_id = ${conversation_id} and (k.segment_id = any(${replaced}::uuid[]) or not exists (
        select from segments s join chunks c on c.conversation_id = s.conversation_id and c.seq = s.chunk_seq
        where s.id = k.segment_id and (c.state = 'transcribed' or c.transcribed_ms > 0 or c.seq = ${seq})))
    ), placed as materialized (
      select p.seq, p.start_ms from placed_chunks(${conversation_id}, expected => true) p where exists (select from open)
    )
    select open.id, (placed.start_ms - own.start_ms + open.start_ms)::integer as start,
      (placed.start_ms - own.start_ms + open.end_ms)::integer as "end"
    from open join placed on placed.seq = open.chunk_seq join placed own on own.seq = ${seq}
    order by open.edited_at desc, open.id`.execute(tx)
  return rows
}

/** Corrections remember where their segment is, for the next transcription. */
export async function moveCorrections(
  tx: Tx,
  { conversation_id, seq }: ChunkKey,
  segments: readonly Carried<Span>[],
): Promise<void> {
  for (const { id, start, end } of segments)
    if (id !== undefined)
      await tx
        .updateTable('segment_corrections')
        .set({ chunk_seq: seq, start_ms: start, end_ms: Math.max(start, end) })
        .where((is) => is.and({ segment_id: id, conversation_id }))
        .execute()
}
