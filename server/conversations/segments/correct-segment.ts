import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import type { ChangeContext } from '../../api/route-spec.ts'
import type { ProjectTarget } from '../../auth/index.ts'
import { auditConversation, changeConversation, lockExisting } from '../find-conversation.ts'
import type { ConversationRow } from '../payload.ts'
import { indexTranscript } from '../search/index-words.ts'
import { findSegment } from './find-segments.ts'
import type { SegmentPatch, SegmentRecord } from './schema.ts'
import { segmentVersion } from './segment-fields.ts'

/** Changes the text of a segment, or restores what the engine transcribed. Transcript, search, exports and later summaries follow. */
export async function correctSegment(
  context: ChangeContext<ProjectTarget>,
  { id: conversationId }: ConversationRow,
  segmentId: string,
  { text }: z.output<typeof SegmentPatch>,
): Promise<SegmentRecord> {
  const { tx, principal } = context
  const row = await lockExisting(tx, conversationId)
  const { record } = await findSegment(tx, row, segmentId)
  context.requireUnchanged(segmentVersion(record))
  const original = record.original_text ?? record.text
  const wanted = text === null || text?.trim() === original ? null : text?.trim()
  const current = record.original_text === null ? null : record.text
  if (wanted === undefined || wanted === current) return record
  if (wanted === null)
    await tx.deleteFrom('segment_corrections').where('segment_id', '=', segmentId).execute()
  else await store(tx, segmentId, wanted, principal.userId)
  await touchSegments(tx, conversationId, { id: segmentId })
  const changed = await changeConversation(tx, conversationId, {})
  await indexTranscript(tx, changed)
  const action = wanted === null ? 'segment.restore' : 'segment.update'
  await auditConversation(tx, context, action, conversationId, { segment_id: segmentId })
  return (await findSegment(tx, row, segmentId)).record
}

const store = (tx: Tx, segmentId: string, text: string, editedBy: string): Promise<unknown> =>
  sql`
    insert into segment_corrections (segment_id, conversation_id, chunk_seq, start_ms, end_ms, text, edited_by)
    select id, conversation_id, chunk_seq, start_ms, end_ms, ${text}, ${editedBy} from segments where id = ${segmentId}
    on conflict (segment_id) do update set text = excluded.text, edited_by = excluded.edited_by, edited_at = now()`.execute(
    tx,
  )

/** Makes streams send segments again. */
export async function touchSegments(
  tx: Tx,
  conversation_id: string,
  which: { id: string } | { speaker: string },
): Promise<void> {
  await tx
    .updateTable('segments')
    .set({ changed: sql`pg_current_xact_id()`, changed_at: sql`now()` })
    .where((is) => is.and({ conversation_id, ...which }))
    .execute()
}
