import { sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import type { ReportRow } from '../schema.ts'
import type { StoredDocument } from '../stored-document.ts'

/** Earlier versions that are kept, besides the generated and the published one. */
const MAX_VERSIONS = 200

interface NewVersion {
  document: StoredDocument
  userId: string
  restoredFrom?: number
}

/** Makes a document the current version; the one before it is kept. The caller has locked the row. */
export async function storeVersion(tx: Tx, row: ReportRow, made: NewVersion): Promise<ReportRow> {
  await tx
    .insertInto('report_versions')
    .values({
      report_id: row.id,
      number: row.version,
      document: JSON.stringify(row.document),
      created_by: row.edited_by,
      created_at: row.edited_at ?? row.ready_at ?? row.created_at,
      restored_from: row.restored_from,
    })
    .execute()
  await deleteOldest(tx, row)
  return tx
    .updateTable('reports')
    .set({
      document: JSON.stringify(made.document),
      title: made.document.title,
      version: row.version + 1,
      edited_by: made.userId,
      edited_at: sql<string>`now()`,
      restored_from: made.restoredFrom ?? null,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function deleteOldest(tx: Tx, { id, version, published_version }: ReportRow): Promise<void> {
  await tx
    .deleteFrom('report_versions')
    .where('report_id', '=', id)
    .where('number', '>', 1)
    .where('number', '<', version - MAX_VERSIONS)
    .where('number', '<>', published_version ?? 0)
    .execute()
}
