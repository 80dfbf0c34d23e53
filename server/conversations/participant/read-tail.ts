import { sql } from 'kysely'
import type { Db } from '../../../database/database.ts'
import type { SpeakerNames } from '../../../database/tables.ts'
import { type StoredSegment, shownFields } from '../segments/segment-fields.ts'
import type { SpokenPiece } from '../transcript/load-transcript.ts'
import { plainTranscript } from '../transcript/time-line.ts'
import { endOf, LONGEST_WORD } from './end-of-text.ts'

export interface Tail {
  received: [first: number, last: number][]
  text: string
  isTruncated: boolean
}

/** Most segments are longer; shorter ones are read by a second statement. */
const SHORT_SEGMENT = 20

/**
 * The chunks that have arrived and the end of what was spoken, in one statement that reads only the last segments: each recording page
 * asks every few seconds. Null if the participant typed text, which has its place in the whole transcript.
 */
export async function readTail(db: Db, id: string, max: number): Promise<Tail | null> {
  const wanted = max + LONGEST_WORD
  for (let limit = Math.ceil(wanted / SHORT_SEGMENT); ; limit *= 8) {
    const { received, segments, speakers, has_text } = await selectTail(db, id, limit)
    if (has_text) return null
    const text = plainTranscript(segments.reverse().flatMap(toPiece(speakers ?? {})))
    const isAll = segments.length < limit
    if (!isAll && text.length < wanted) continue
    const end = endOf(text, max)
    return { received, text: end, isTruncated: !isAll || end.length < text.length }
  }
}

interface TailRow {
  received: [number, number][]
  /** The last one first. */
  segments: LastSegment[]
  speakers: SpeakerNames | null
  has_text: boolean
}

type LastSegment = Pick<StoredSegment, 'text' | 'corrected' | 'speaker' | 'confidence'>

/** The segments are in order, and their real times are not shown. A host can remove a segment with an empty correction. */
const toPiece =
  (names: SpeakerNames) =>
  (segment: LastSegment, index: number): SpokenPiece[] =>
    segment.corrected === ''
      ? []
      : [{ id: '', start_ms: index, end_ms: index + 1, ...shownFields(segment, names) }]

async function selectTail(db: Db, id: string, limit: number): Promise<TailRow> {
  const { rows } = await sql<TailRow>`
    select (select speakers from conversations where id = ${id}) as speakers,
      exists (select from text_entries where conversation_id = ${id}) as has_text,
      (select coalesce(json_agg(json_build_array(lower(r), upper(r) - 1)), '[]') from unnest((
        select range_agg(int4range(seq, seq, '[]')) from chunks where conversation_id = ${id}
      )) r) as received,
      (select coalesce(json_agg(last), '[]') from (
        select s.text, k.text as corrected, s.speaker, s.confidence
        from segments s
        join chunks c on c.conversation_id = s.conversation_id and c.seq = s.chunk_seq
          and (c.state = 'transcribed' or c.transcribed_ms > 0)
        left join segment_corrections k on k.segment_id = s.id
        where s.conversation_id = ${id}
        order by s.chunk_seq desc, s.position desc
        limit ${limit}
      ) last) as segments`.execute(db)
  return rows[0] as TailRow
}
