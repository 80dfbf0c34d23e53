import type { z } from 'zod'
import type { Tx } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import type { ChangeContext } from '../api/route-spec.ts'
import { audit, type ProjectTarget } from '../auth/index.ts'
import { tenantIdsOf } from '../tenancy/index.ts'
import { lockReport } from './find-report.ts'
import { type Report, type ReportPatch, type ReportRow, toReport } from './schema.ts'
import type { StoredDocument } from './stored-document.ts'

/** Changes the title of a report, or publishes its current version. A project has one published report. */
export async function updateReport(
  context: ChangeContext<ProjectTarget>,
  found: ReportRow,
  patch: z.output<typeof ReportPatch>,
): Promise<z.output<typeof Report>> {
  const { tx } = context
  const row = await lockReport(tx, found.id)
  if (!row) throw new Problem('not_found')
  context.requireUnchanged(toReport(row))
  const changed = Object.keys(patch)
  if (changed.length === 0) return toReport(row)
  if (patch.published && row.status !== 'ready') throw new Problem('report_not_ready')
  if (patch.published) await unpublishOthers(tx, row)
  const document = row.document as StoredDocument | null
  const retitled =
    patch.title !== undefined && document ? { ...document, title: patch.title, own_title: true } : null
  const updated = await tx
    .updateTable('reports')
    .set({
      ...patch,
      ...(patch.published !== undefined && { published_version: patch.published ? row.version : null }),
      ...(retitled && { document: JSON.stringify(retitled) }),
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(tx, context, {
    action: 'report.update',
    ...(await tenantIdsOf(tx, context.target)),
    target: { kind: 'report', id: row.id },
    details: { changed },
  })
  return toReport(updated)
}

async function unpublishOthers(tx: Tx, { id, project_id }: ReportRow): Promise<void> {
  await tx
    .updateTable('reports')
    .set({ published: false, published_version: null })
    .where('project_id', '=', project_id)
    .where('published', '=', true)
    .where('id', '<>', id)
    .execute()
}
