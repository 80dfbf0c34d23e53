import type { Db, Tx } from '../../../database/database.ts'
import type { SegmentWord } from '../../../database/tables.ts'
import type { FirstSegment } from './choose-text.ts'
import { type TimeAxis, timeAxis } from './time-axis.ts'

/** A stored segment, with its times on the axis. */
export interface StoredSegment extends FirstSegment {
  chunk_seq: number
  language: string | null
  words: SegmentWord[] | null
  /** The words have times from here. */
  chunkStart: number
}

export interface FirstPass {
  axis: TimeAxis
  /** Those of the chunks on the axis, in order. */
  segments: StoredSegment[]
}

export async function findFirstPass(db: Db | Tx, conversationId: string): Promise<FirstPass> {
  const chunks = await db
    .selectFrom('chunks')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .orderBy('seq')
    .execute()
  const axis = timeAxis(chunks)
  const rows = await db
    .selectFrom('segments')
    .leftJoin('segment_corrections', 'segment_corrections.segment_id', 'segments.id')
    .select([
      'segments.id',
      'segments.chunk_seq',
      'segments.start_ms',
      'segments.end_ms',
      'segments.text',
      'segments.language',
      'segments.confidence',
      'segments.words',
      'segments.speaker',
      'segment_corrections.segment_id as correction',
    ])
    .where('segments.conversation_id', '=', conversationId)
    .orderBy('segments.chunk_seq')
    .orderBy('segments.position')
    .execute()
  const segments = rows.flatMap(({ correction, start_ms, end_ms, ...row }) => {
    const chunkStart = axis.starts.get(row.chunk_seq)
    if (chunkStart === undefined) return []
    const times = { start: chunkStart + start_ms, end: chunkStart + end_ms }
    return [{ ...row, ...times, chunkStart, isCorrected: correction !== null }]
  })
  return { axis, segments }
}
