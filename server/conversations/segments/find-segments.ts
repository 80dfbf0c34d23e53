import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/database.ts'
import type { SpeakerNames } from '../../../database/tables.ts'
import { isUuid } from '../../../platform/ids.ts'
import { notFound } from '../find-conversation.ts'
import type { ConversationRow } from '../payload.ts'
import { placedChunks } from '../transcript/load-transcript.ts'
import type { SegmentRecord } from './schema.ts'
import { segmentFields } from './segment-fields.ts'

interface SegmentRow extends Omit<SegmentRecord, 'original_text' | 'unclear' | 'etag'> {
  corrected: string | null
  chunk_seq: number
  position: number
}

/** The place of a segment in its conversation, which is its key in lists. */
export interface Place {
  chunk_seq: number
  position: number
}

type Named = Pick<ConversationRow, 'id' | 'speakers'>

/** Selects the segments that readers see. A chunk that is transcribed again keeps its segments until the new ones are stored. */
export async function selectSegments(
  db: Db | Tx,
  conversation: Named,
  { after, id, limit }: { after?: Place | null; id?: string; limit: number },
): Promise<{ record: SegmentRecord; place: Place }[]> {
  const { chunk_seq, position } = after ?? { chunk_seq: -1, position: 0 }
  const { rows } = await sql<SegmentRow>`
    with ${placedChunks([conversation.id])}
    select s.chunk_seq, s.position, s.id, placed.start_ms + s.start_ms as start_ms, placed.start_ms + s.end_ms as end_ms,
      s.text, k.text as corrected, s.speaker, s.language, s.confidence, k.edited_by, k.edited_at
    from placed join segments s on s.conversation_id = placed.conversation_id and s.chunk_seq = placed.seq
      and (placed.state = 'transcribed' or placed.transcribed_ms > 0)
    left join segment_corrections k on k.segment_id = s.id
    where (s.chunk_seq, s.position) > (${chunk_seq}::integer, ${position}::integer)
      and (${id ?? null}::uuid is null or s.id = ${id ?? null}::uuid)
    order by s.chunk_seq, s.position
    limit ${limit}`.execute(db)
  return rows.map((row) => ({ record: toSegment(row, conversation.speakers ?? {}), place: row }))
}

/** Any id that is not of this conversation is `not_found`. */
export async function findSegment(
  db: Db | Tx,
  conversation: Named,
  id: string,
): Promise<{ record: SegmentRecord; place: Place }> {
  const [found] = isUuid(id) ? await selectSegments(db, conversation, { id, limit: 1 }) : []
  if (!found) throw notFound()
  return found
}

export function toSegment(
  row: Omit<SegmentRow, 'chunk_seq' | 'position'>,
  names: SpeakerNames,
): SegmentRecord {
  const { edited_by, edited_at } = row
  return { ...segmentFields(row, names), edited_by, edited_at }
}
