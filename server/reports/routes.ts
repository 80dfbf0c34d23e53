import { z } from 'zod'
import type { Db } from '../../database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { pageOf, pageQuery } from '../api/pagination.ts'
import { id, noBody } from '../api/schema.ts'
import type { Router } from '../auth/index.ts'
import type { Jobs } from '../background/queue.ts'
import type { Limits } from '../tenancy/index.ts'
import { createReport, type ReportJobs } from './create-report.ts'
import { deleteReport } from './delete-report.ts'
import { findReport } from './find-report.ts'
import { listReports } from './list-reports.ts'
import { readReport } from './read-report.ts'
import { NewReport, Report, ReportPatch, ReportQuery } from './schema.ts'
import { createProgressWatcher, streamProgress } from './stream-progress.ts'
import { updateReport } from './update-report.ts'

const tag = 'Reports'
const ofProject = '/api/v2/projects/:pid/reports'
const one = '/api/v2/reports/:rid'
const reading = { kind: 'project', capability: 'report:read', through: 'report' } as const

const StartedReport = z
  .object({ id, status: z.enum(['scheduled', 'generating']) })
  .meta({ id: 'StartedReport' })

export interface ReportRouteParts {
  db: Db
  log: Logger
  jobs: Jobs<ReportJobs>
  publicUrl: string
  limits: Limits
}

/** Reports over many conversations. */
export function registerReports(
  router: Router,
  { db, log, jobs, publicUrl, limits }: ReportRouteParts,
): void {
  const watcher = createProgressWatcher(db, log)
  router.read({
    id: 'listReports',
    summary: 'The reports of a project, newest first',
    tag,
    url: ofProject,
    access: { kind: 'project', capability: 'report:read' },
    query: pageQuery,
    answers: { 200: pageOf(Report) },
    read: listReports,
  })
  router.change({
    id: 'createReport',
    summary: 'Make a report, now or later',
    tag,
    method: 'POST',
    url: ofProject,
    access: { kind: 'project', capability: 'report:generate' },
    body: NewReport,
    answers: { 202: StartedReport },
    problems: ['limit_reached'],
    change: (context, tx) => createReport(context, tx, { jobs, limits }),
  })
  router.read({
    id: 'readReport',
    summary: 'One report: its record, or the document as Markdown, HTML or PDF',
    tag,
    url: one,
    access: reading,
    query: ReportQuery,
    answers: {
      200: {
        'application/json': Report,
        'text/markdown': z.string(),
        'text/html': z.string(),
        'application/pdf': z.string(),
      },
    },
    problems: ['report_not_ready'],
    find: findReport,
    read: (context, row) => readReport(context, row, publicUrl),
  })
  router.change({
    id: 'updateReport',
    summary: 'Change a report’s title, or publish it',
    tag,
    method: 'PATCH',
    url: one,
    access: { kind: 'project', capability: 'report:publish', through: 'report' },
    body: ReportPatch,
    answers: { 200: Report },
    problems: ['report_not_ready'],
    find: findReport,
    change: (context, tx, _, row) => updateReport(context, tx, row),
  })
  router.change({
    id: 'deleteReport',
    summary: 'Delete a report',
    tag,
    method: 'DELETE',
    url: one,
    access: { kind: 'project', capability: 'report:delete', through: 'report' },
    body: noBody,
    answers: { 204: null },
    find: findReport,
    change: (context, tx, _, row) => deleteReport(context, tx, row),
  })
  router.stream({
    id: 'streamReportProgress',
    summary: 'How far a report is, live',
    tag,
    url: `${one}/progress`,
    access: reading,
    answers: { 200: { 'text/event-stream': z.string() } },
    stream: (context) => streamProgress(context, watcher),
  })
}
