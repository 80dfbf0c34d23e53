import type { Db } from '../../../database/database.ts'
import type { ConversationRow } from '../payload.ts'
import { loadTranscript } from './load-transcript.ts'
import { type TimeLine, timeLine } from './time-line.ts'

/** The input of every transcript format. */
export async function loadTimeLine(db: Db, row: ConversationRow): Promise<TimeLine> {
  const { pieces } = await loadTranscript(db, row)
  return timeLine({
    title: row.title ?? 'Conversation',
    participant: row.participant_name,
    language: row.detected_language ?? row.language,
    started_at: row.started_at,
    pieces,
  })
}
