import type { Tx } from '../../database/database.ts'
import { erasePayloads } from '../webhooks/index.ts'
import { lockReport } from './find-report.ts'
import { type StoredDocument, withoutConversation } from './stored-document.ts'

/** Removes a conversation from every version of every report. Renderings are not stored. */
export async function eraseFromReports(tx: Tx, conversationId: string): Promise<void> {
  const reports = await tx
    .selectFrom('report_sources')
    .select('report_id')
    .where('conversation_id', '=', conversationId)
    .orderBy('report_id')
    .execute()
  for (const { report_id } of reports) await eraseFrom(tx, report_id, conversationId)
  await tx.deleteFrom('report_sources').where('conversation_id', '=', conversationId).execute()
}

async function eraseFrom(tx: Tx, reportId: string, conversationId: string): Promise<void> {
  const report = await lockReport(tx, reportId)
  if (!report?.document) return
  const document = withoutConversation(report.document as StoredDocument, conversationId)
  await tx
    .updateTable('reports')
    .set({
      document: JSON.stringify(document),
      title: document.title,
      conversation_count: document.conversation_count,
    })
    .where('id', '=', reportId)
    .execute()
  // A generated title comes from what was said, and has been sent to receivers.
  if (!document.own_title) await erasePayloads(tx, reportId)
}
