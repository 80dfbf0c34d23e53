import type { z } from 'zod'
import type { Tx } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import { type Answer, ok, requireMatch } from '../api/response.ts'
import { audit, type Context } from '../auth/index.ts'
import { placeOf } from '../tenancy/index.ts'
import { lockReport, type ReportAccess } from './find-report.ts'
import { type ReportPatch, type ReportRow, toReport } from './schema.ts'
import type { StoredDocument } from './stored-document.ts'

/** A report gets another title, or becomes the one that the public reads. */
export async function updateReport(
  context: Context<ReportAccess, z.output<typeof ReportPatch>>,
  tx: Tx,
  found: ReportRow,
): Promise<Answer> {
  const { body } = context
  const row = await lockReport(tx, found.id)
  if (!row) throw new Problem('not_found')
  requireMatch(context.ifMatch, toReport(row))
  const changed = Object.keys(body)
  if (changed.length === 0) return ok(toReport(row))
  if (body.published && row.status !== 'ready') throw new Problem('report_not_ready')
  if (body.published) await unpublishOthers(tx, row)
  const document = row.document as StoredDocument | null
  const retitled =
    body.title !== undefined && document ? { ...document, title: body.title, own_title: true } : null
  const updated = await tx
    .updateTable('reports')
    .set({ ...body, ...(retitled && { document: JSON.stringify(retitled) }) })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await audit(tx, context, {
    action: 'report.update',
    ...(await placeOf(tx, context.target)),
    target: { kind: 'report', id: row.id },
    details: { changed },
  })
  return ok(toReport(updated))
}

async function unpublishOthers(tx: Tx, { id, project_id }: ReportRow): Promise<void> {
  await tx
    .updateTable('reports')
    .set({ published: false })
    .where('project_id', '=', project_id)
    .where('published', '=', true)
    .where('id', '<>', id)
    .execute()
}
