import type { Tx } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import type { Context } from '../auth/index.ts'
import type { ReportRow } from './schema.ts'

export type ReportAccess = {
  kind: 'project'
  capability: 'report:read' | 'report:generate' | 'report:publish' | 'report:delete'
  through?: 'report'
}

/** The report that the path names; the access check has found its project already. */
export async function findReport({ db, params }: Context<ReportAccess>): Promise<ReportRow> {
  const row = await db
    .selectFrom('reports')
    .selectAll()
    .where('id', '=', params['rid'] ?? '')
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
