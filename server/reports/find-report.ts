import type { Db, Tx } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import type { ReportRow } from './schema.ts'

/** A report whose project the caller has access to. */
export async function findReport(db: Db, id: string): Promise<ReportRow> {
  const row = await db
    .selectFrom('reports')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  return row
}

export async function lockReport(tx: Tx, id: string): Promise<ReportRow | null> {
  const row = await tx
    .selectFrom('reports')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}
