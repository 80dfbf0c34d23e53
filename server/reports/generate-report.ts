import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../database/database.ts'
import { faultPoint } from '../../platform/fault-points.ts'
import type { RunningJob } from '../background/queue.ts'
import { finalFailure } from '../engines/engine-failure.ts'
import type { ReportDraft, Summarizer } from '../summaries/index.ts'
import type { Emit } from '../webhooks/index.ts'
import { lockReport } from './find-report.ts'
import { gatherMaterial, type Material } from './gather-material.ts'
import type { ReportRow } from './schema.ts'
import { type StoredDocument, withoutConversation } from './stored-document.ts'

export interface ReportParts {
  db: Db
  emit: Emit
  summarizer: Summarizer
}

/** Makes one report, from what its conversations say at this moment. */
export async function generateReport(parts: ReportParts, job: RunningJob): Promise<void> {
  const report = await begin(parts.db, String(job.data['report_id']))
  if (!report) return
  try {
    const material = await gatherMaterial(parts.db, report)
    const draft = await parts.summarizer.report({
      title: report.title,
      language: report.language,
      instructions: report.instructions,
      conversations: material.sources,
      signal: job.signal,
      onProgress: progressOf(parts.db, report.id),
    })
    faultPoint('after_report')
    await inTransaction(parts.db, (tx) => complete(parts, tx, report.id, draft, material))
  } catch (error) {
    const failure = finalFailure(error, job)
    if (failure === null) throw error
    await fail(parts.db, report.id, failure)
  }
}

async function begin(db: Db, id: string): Promise<ReportRow | undefined> {
  return db
    .updateTable('reports')
    .set({ status: 'generating' })
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('status', 'in', ['scheduled', 'generating'])
    .returningAll()
    .executeTakeFirst()
}

const fail = (db: Db, id: string, failure: string) =>
  db
    .updateTable('reports')
    .set({ status: 'failed', failure })
    .where('id', '=', id)
    .where('status', '=', 'generating')
    .execute()

/** Written when it has grown by a hundredth, and never awaited: it is news, not a result. */
function progressOf(db: Db, id: string): (share: number) => void {
  let told = 0
  return (share) => {
    if (share < told + 0.01) return
    told = share
    void db
      .updateTable('reports')
      .set({ progress: Math.min(1, share) })
      .where('id', '=', id)
      .where('status', '=', 'generating')
      .execute()
      .catch(() => {})
  }
}

async function complete(
  { emit }: ReportParts,
  tx: Tx,
  id: string,
  draft: ReportDraft,
  material: Material,
): Promise<void> {
  const report = await lockReport(tx, id)
  if (report?.status !== 'generating') return
  const document = await withoutWithdrawn(tx, toDocument(report, draft, material))
  const ready = await tx
    .updateTable('reports')
    .set({
      status: 'ready',
      progress: 1,
      title: document.title,
      document: JSON.stringify(document),
      conversation_count: document.conversation_count,
      ready_at: sql`now()`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const sources = document.conversations.map((one) => ({ report_id: id, conversation_id: one.id }))
  if (sources.length > 0) await tx.insertInto('report_sources').values(sources).execute()
  await emit(tx, {
    type: 'report.generated',
    projectId: report.project_id,
    report: {
      id,
      title: ready.title,
      language: ready.language,
      status: ready.status,
      created_at: ready.created_at,
      conversation_count: ready.conversation_count,
    },
  })
}

function toDocument(
  report: ReportRow,
  draft: ReportDraft,
  { conversations, places, leftOut }: Material,
): StoredDocument {
  const placesOf = (ids: string[]) => ids.flatMap((id) => places.get(id) ?? [])
  return {
    id: report.id,
    title: report.title ?? draft.title,
    language: report.language,
    created_at: report.created_at,
    method: draft.method,
    model: draft.model,
    conversation_count: conversations.length,
    left_out: leftOut,
    own_title: report.title !== null,
    introduction: draft.introduction,
    sections: draft.sections.map(({ heading, paragraphs, quotations }) => ({
      heading,
      paragraphs: paragraphs.map(({ text, utterances }) => ({ text, sources: placesOf(utterances) })),
      quotations: quotations.flatMap(({ text, utterance }) =>
        placesOf([utterance]).map((source) => ({ text, source })),
      ),
    })),
    conversations: conversations.map((row) => ({
      id: row.id,
      title: row.title,
      participant: row.participant_name,
      started_at: row.started_at,
    })),
  }
}

/** What was withdrawn while the engine was at work is locked out here: an erasure sees the sources, or we see the deletion. */
async function withoutWithdrawn(tx: Tx, document: StoredDocument): Promise<StoredDocument> {
  const ids = document.conversations.map((one) => one.id)
  if (ids.length === 0) return document
  const living = await tx
    .selectFrom('conversations')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .forShare()
    .execute()
  const there = new Set(living.map(({ id }) => id))
  return ids.filter((id) => !there.has(id)).reduce(withoutConversation, document)
}
