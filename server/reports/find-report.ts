import type { Db, Tx } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import type { ReportRow } from './schema.ts'

/** Reports that were not deleted. */
export const existingReports = (db: Db) =>
  db.selectFrom('reports').selectAll().where('deleted_at', 'is', null)

/** A report whose project the caller has access to. */
export async function findReport(db: Db, id: string): Promise<ReportRow> {
  const row = await existingReports(db).where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('not_found')
  return row
}

export const lockReport = (tx: Tx, id: string): Promise<ReportRow | undefined> =>
  existingReports(tx).where('id', '=', id).forUpdate().executeTakeFirst()
