import { sql } from 'kysely'
import type { ChangeContext } from '../api/route-spec.ts'
import { audit, type ProjectTarget } from '../auth/index.ts'
import { tenantIdsOf } from '../tenancy/index.ts'
import { erasePayloads } from '../webhooks/index.ts'
import type { ReportRow } from './schema.ts'

/** Erases the content of the report. The row stays, so that its id remains known as deleted. */
export async function deleteReport(context: ChangeContext<ProjectTarget>, { id }: ReportRow): Promise<void> {
  const { tx } = context
  await tx.deleteFrom('report_versions').where('report_id', '=', id).execute()
  await tx.deleteFrom('report_sources').where('report_id', '=', id).execute()
  await tx
    .updateTable('reports')
    .set({
      deleted_at: sql`now()`,
      document: null,
      title: null,
      instructions: null,
      published: false,
      published_version: null,
    })
    .where('id', '=', id)
    .execute()
  await erasePayloads(tx, id)
  await audit(tx, context, {
    action: 'report.delete',
    ...(await tenantIdsOf(tx, context.target)),
    target: { kind: 'report', id },
  })
}
