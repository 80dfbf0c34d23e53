import type { z } from 'zod'
import { newestFirst, type Page, type PageQuery } from '../api/pagination.ts'
import type { Context } from '../api/route-spec.ts'
import type { ProjectTarget } from '../auth/index.ts'
import { existingReports } from './find-report.ts'
import { type Report, toReport } from './schema.ts'

/** All versions, newest first. */
export const listReports = (
  { db, target }: Context<ProjectTarget>,
  query: PageQuery,
): Promise<Page<z.output<typeof Report>>> =>
  newestFirst(existingReports(db).where('project_id', '=', target.id), query, toReport)
