import type { Context } from '../access/index.ts'
import { type Answer, found } from '../kernel/answer.ts'
import { newestFirst, type PageQuery } from '../kernel/page.ts'
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
