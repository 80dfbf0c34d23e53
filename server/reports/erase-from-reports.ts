import type { Tx } from '../../database/database.ts'
import { erasePayloads } from '../webhooks/index.ts'
import { lockReport } from './find-report.ts'
import { passagesFrom, type StoredDocument, withoutConversation } from './stored-document.ts'

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
  const earlier = await tx
    .selectFrom('report_versions')
    .select(['number', 'document'])
    .where('report_id', '=', reportId)
    .execute()
  const versions = [report, ...earlier].map((one) => one.document as StoredDocument)
  // A member can have copied a quotation into a text, and removed the quotation itself from later versions.
  const said = versions.flatMap((one) => passagesFrom(one, conversationId))
  for (const { number, document } of earlier) {
    const erased = withoutConversation(document as StoredDocument, conversationId, said)
    await tx
      .updateTable('report_versions')
      .set({ document: JSON.stringify(erased) })
      .where('report_id', '=', reportId)
      .where('number', '=', number)
      .execute()
  }
  const document = withoutConversation(report.document as StoredDocument, conversationId, said)
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
