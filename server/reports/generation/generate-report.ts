import { sql } from 'kysely'
import { type Db, inTransaction, type Tx } from '../../../database/database.ts'
import type { Logger } from '../../../platform/log.ts'
import type { RunningJob } from '../../background/queue.ts'
import { failureFields, finalFailure } from '../../engines/engine-failure.ts'
import {
  type ReportDraft,
  reportByExtract,
  type Summarizer,
  withExtractiveFallback,
} from '../../summaries/index.ts'
import type { Emit } from '../../webhooks/index.ts'
import { faultPoint } from '../fault-points.ts'
import { lockReport } from '../find-report.ts'
import { nameParticipants } from '../names/name-participants.ts'
import type { ReportRow } from '../schema.ts'
import { type StoredDocument, withoutConversation } from '../stored-document.ts'
import { type CollectedSources, collectSources } from './collect-sources.ts'
import { createNoteStore } from './note-store.ts'

export interface ReportParts {
  db: Db
  emit: Emit
  summarizer: Summarizer
  log: Logger
}

/** Generates a report from the current transcripts of its conversations. */
export async function generateReport(parts: ReportParts, job: RunningJob): Promise<void> {
  const report = await begin(parts.db, String(job.data['report_id']))
  if (!report) return
  try {
    const collected = await collectSources(parts.db, report)
    const request = {
      title: report.title,
      language: report.language,
      instructions: report.instructions,
      conversations: collected.sources,
      signal: job.signal,
      onProgress: recordProgress(parts.db, report.id),
      notes: createNoteStore(parts.db, report.language, collected.conversations),
    }
    const draft = await withExtractiveFallback(
      () => parts.summarizer.report(request),
      () => reportByExtract(request),
      { job, log: parts.log, component: 'reports' },
    )
    faultPoint('after_report')
    const named = nameParticipants(draft, collected, report.language)
    await inTransaction(parts.db, (tx) => complete(parts, tx, report.id, named, collected))
  } catch (error) {
    const failure = finalFailure(error, job)
    if (failure === null) throw error
    const fields = { component: 'reports', ...failureFields(error, job), code: failure }
    parts.log.warn(fields, 'Generation of a report failed; the report is marked as failed')
    await updateGenerating(parts.db, report.id, { status: 'failed', failure })
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

const updateGenerating = (
  db: Db,
  id: string,
  change: Pick<Partial<ReportRow>, 'status' | 'failure' | 'progress'>,
) => db.updateTable('reports').set(change).where('id', '=', id).where('status', '=', 'generating').execute()

/** Stores the progress when it has grown by 1 %. Not awaited, and a failed write is ignored: clients only display it. */
function recordProgress(db: Db, id: string): (share: number) => void {
  let recorded = 0
  return (share) => {
    if (share < recorded + 0.01) return
    recorded = share
    updateGenerating(db, id, { progress: Math.min(1, share) }).catch(() => {})
  }
}

async function complete(
  { emit }: ReportParts,
  tx: Tx,
  id: string,
  draft: ReportDraft,
  collected: CollectedSources,
): Promise<void> {
  const report = await lockReport(tx, id)
  if (report?.status !== 'generating') return
  const document = await withoutDeleted(tx, toDocument(report, draft, collected))
  const { project_id, title, language, status, created_at, conversation_count } = await tx
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
    projectId: project_id,
    report: { id, title, language, status, created_at, conversation_count },
  })
}

function toDocument(
  report: ReportRow,
  draft: ReportDraft,
  { conversations, positions, leftOut }: CollectedSources,
): StoredDocument {
  const positionsOf = (ids: string[], isQuoted: boolean) =>
    ids.flatMap((id) => {
      const position = positions.get(id)
      if (!position) return []
      const { conversation_id, start_ms } = position
      // A sentence that was selected is its own quotation.
      return [isQuoted ? { conversation_id, start_ms } : position]
    })
  return {
    id: report.id,
    title: report.title ?? draft.title,
    language: report.language,
    created_at: report.created_at,
    method: draft.method,
    model: draft.model,
    ...(draft.fallback && { fallback: draft.fallback }),
    conversation_count: conversations.length,
    left_out: leftOut,
    own_title: report.title !== null,
    introduction: draft.introduction,
    sections: draft.sections.map(({ heading, paragraphs, quotations, voices }) => ({
      heading,
      ...(voices && { voices }),
      paragraphs: paragraphs.map(({ text, utterances }) => ({
        text,
        sources: positionsOf(utterances, draft.method === 'extractive'),
      })),
      quotations: quotations.flatMap(({ text, utterance }) =>
        positionsOf([utterance], true).map((source) => ({ text, source })),
      ),
    })),
    conversations: conversations.map(({ id, title, participant_name: participant, started_at }) => ({
      id,
      title,
      participant,
      started_at,
    })),
  }
}

/** Removes conversations that were deleted during generation. The locks close the race: a later erasure sees `report_sources`, which has them. */
async function withoutDeleted(tx: Tx, document: StoredDocument): Promise<StoredDocument> {
  const ids = document.conversations.map((one) => one.id)
  if (ids.length === 0) return document
  const rows = await tx
    .selectFrom('conversations')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .forShare()
    .execute()
  const existing = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !existing.has(id)).reduce((rest, id) => withoutConversation(rest, id), document)
}
