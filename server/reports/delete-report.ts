import { sql } from 'kysely'
import type { Tx } from '../../database/database.ts'
import { type Answer, noContent } from '../api/response.ts'
import { audit, type Context } from '../auth/index.ts'
import { placeOf } from '../tenancy/index.ts'
import { erasePayloads } from '../webhooks/index.ts'
import type { ReportAccess } from './find-report.ts'
import type { ReportRow } from './schema.ts'

/** Its words go at once; that there was one stays. */
export async function deleteReport(
  context: Context<ReportAccess>,
  tx: Tx,
  { id }: ReportRow,
): Promise<Answer> {
  await tx.deleteFrom('report_sources').where('report_id', '=', id).execute()
  await tx
    .updateTable('reports')
    .set({ deleted_at: sql`now()`, document: null, title: null, instructions: null, published: false })
    .where('id', '=', id)
    .execute()
  await erasePayloads(tx, id)
  const place = await placeOf(tx, context.target)
  await audit(tx, context, { action: 'report.delete', ...place, target: { kind: 'report', id } })
  return noContent()
}
