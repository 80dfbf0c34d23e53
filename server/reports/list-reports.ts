import { newestFirst, type PageQuery } from '../api/pagination.ts'
import { type Answer, found } from '../api/response.ts'
import type { Context } from '../auth/index.ts'
import type { ReportAccess } from './find-report.ts'
import { toReport } from './schema.ts'

/** All versions, newest first. */
export async function listReports({
  db,
  target,
  query,
}: Context<ReportAccess, undefined, PageQuery>): Promise<Answer> {
  const rows = db
    .selectFrom('reports')
    .selectAll()
    .where('project_id', '=', target.id)
    .where('deleted_at', 'is', null)
  return found(await newestFirst(rows, query, toReport))
}
