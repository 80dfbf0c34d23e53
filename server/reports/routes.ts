import { z } from 'zod'
import type { Db } from '../../database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { fileResponse } from '../api/files/file-response.ts'
import { pageOf, pageQuery } from '../api/pagination.ts'
import { ok } from '../api/response.ts'
import type { RouteContext } from '../api/route-spec.ts'
import type { Router } from '../api/router.ts'
import { noBody } from '../api/schema.ts'
import type { Jobs } from '../background/queue.ts'
import type { Limits } from '../tenancy/index.ts'
import { createReport } from './create-report.ts'
import { deleteReport } from './delete-report.ts'
import { findReport } from './find-report.ts'
import type { ReportJobs } from './generation/restart-report.ts'
import { listReports } from './list-reports.ts'
import { ReportDocument, readDocument } from './read-document.ts'
import { readReport } from './read-report.ts'
import { HTML_POLICY } from './render/html-style.ts'
import { NewReport, Report, ReportPatch, ReportQuery, type ReportRow, StartedReport } from './schema.ts'
import { createProgressWatcher } from './stream-progress.ts'
import { updateReport } from './update-report.ts'
import { registerVersions } from './versions/routes.ts'
import { documentQuery } from './versions/schema.ts'

const tag = 'Reports'
const ofProject = '/api/v2/projects/:pid/reports'
const one = '/api/v2/reports/:rid'
const reading = { kind: 'project', capability: 'report:read', through: 'report' } as const

const find = ({ db, params }: RouteContext): Promise<ReportRow> => findReport(db, params['rid'] ?? '')

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
  const followProgress = createProgressWatcher(db, log)
  router.read({
    id: 'listReports',
    summary: 'List the reports of a project, newest first',
    tag,
    url: ofProject,
    access: { kind: 'project', capability: 'report:read' },
    query: pageQuery,
    responses: { 200: pageOf(Report) },
    read: (context) => listReports(context, context.query),
  })
  router.change({
    id: 'createReport',
    summary: 'Generate a report now, or at a scheduled time',
    tag,
    method: 'POST',
    url: ofProject,
    access: { kind: 'project', capability: 'report:generate' },
    body: NewReport,
    responses: { 202: StartedReport },
    problems: ['limit_reached'],
    change: (context) => createReport(context, context.body, { jobs, limits }),
  })
  router.read({
    id: 'readReport',
    summary: 'Read a report: its record, or the document as Markdown, HTML or PDF',
    tag,
    url: one,
    access: reading,
    query: ReportQuery,
    responses: {
      200: {
        'application/json': Report,
        'text/markdown': z.string(),
        'text/html': z.string(),
        'application/pdf': z.string(),
      },
    },
    problems: ['report_not_ready'],
    find,
    read: (context, row) => readReport(context, row, { format: context.query.format, publicUrl }),
    respond: (result) => {
      if (!('content' in result)) return ok(result)
      const response = fileResponse(result)
      return { ...response, headers: { ...response.headers, 'content-security-policy': HTML_POLICY } }
    },
  })
  router.read({
    id: 'readReportDocument',
    summary: 'Read the text of a report with its sources',
    tag,
    url: `${one}/document`,
    access: reading,
    query: documentQuery,
    responses: { 200: ReportDocument },
    problems: ['report_not_ready'],
    find,
    read: (context, row) => readDocument(context, row, context.query.version),
  })
  registerVersions(router, find)
  router.change({
    id: 'updateReport',
    summary: 'Change a report’s title, or publish it',
    tag,
    method: 'PATCH',
    url: one,
    access: { kind: 'project', capability: 'report:publish', through: 'report' },
    body: ReportPatch,
    responses: { 200: Report },
    problems: ['report_not_ready'],
    find,
    change: (context, _tx, _prepared, row) => updateReport(context, row, context.body),
    etag: true,
  })
  router.change({
    id: 'deleteReport',
    summary: 'Delete a report',
    tag,
    method: 'DELETE',
    url: one,
    access: { kind: 'project', capability: 'report:delete', through: 'report' },
    body: noBody,
    responses: { 204: null },
    find,
    change: (context, _tx, _prepared, row) => deleteReport(context, row),
  })
  router.stream({
    id: 'streamReportProgress',
    summary: 'The progress of a report, live',
    tag,
    url: `${one}/progress`,
    access: reading,
    responses: { 200: { 'text/event-stream': z.string() } },
    stream: async (context) => {
      const { id } = await find(context)
      return (stream) => followProgress(stream, id)
    },
  })
}
