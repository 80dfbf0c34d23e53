import type { Db } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import type { ReportRow } from '../schema.ts'
import type { StoredDocument } from '../stored-document.ts'

/** The document of one version; the current one by default. Null if there is no such version. */
export async function findVersion(
  db: Db,
  row: ReportRow,
  number = row.version,
): Promise<StoredDocument | null> {
  if (row.document === null) throw new Problem('report_not_ready')
  if (number === row.version) return row.document as StoredDocument
  const found = await db
    .selectFrom('report_versions')
    .select('document')
    .where('report_id', '=', row.id)
    .where('number', '=', number)
    .executeTakeFirst()
  return (found?.document ?? null) as StoredDocument | null
}

/** The document that everyone can read. An older program publishes without naming a version. */
export const findPublishedVersion = (db: Db, row: ReportRow): Promise<StoredDocument | null> =>
  findVersion(db, row, row.published_version ?? row.version)
