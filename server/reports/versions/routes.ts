import { pageOf, pageQuery } from '../../api/pagination.ts'
import type { RouteContext } from '../../api/route-spec.ts'
import type { Router } from '../../api/router.ts'
import { Report, type ReportRow } from '../schema.ts'
import { editReport, restoreVersion } from './edit-report.ts'
import { listVersions } from './list-versions.ts'
import { DocumentEdit, ReportVersion, VersionToRestore } from './schema.ts'

const tag = 'Reports'
const one = '/api/v2/reports/:rid'
/** Not `report:publish`: an edit does not change what everyone can read. */
const editing = { kind: 'project', capability: 'report:generate', through: 'report' } as const

/** The versions of a report: members edit its text, and restore earlier versions. */
export function registerVersions(router: Router, find: (context: RouteContext) => Promise<ReportRow>): void {
  router.change({
    id: 'editReport',
    summary: 'Edit the text of a report, as a new version',
    tag,
    method: 'PUT',
    url: `${one}/document`,
    access: editing,
    body: DocumentEdit,
    responses: { 200: Report },
    problems: ['report_not_ready'],
    find,
    change: (context, _tx, _prepared, row) => editReport(context, row, context.body),
    etag: true,
  })
  router.read({
    id: 'listReportVersions',
    summary: 'List the versions of a report, newest first',
    tag,
    url: `${one}/versions`,
    access: { kind: 'project', capability: 'report:read', through: 'report' },
    query: pageQuery,
    responses: { 200: pageOf(ReportVersion) },
    problems: ['report_not_ready'],
    find,
    read: (context, row) => listVersions(context, row, context.query),
  })
  router.change({
    id: 'restoreReportVersion',
    summary: 'Make an earlier version of a report the current one, as a new version',
    tag,
    method: 'POST',
    url: `${one}/restore`,
    access: editing,
    body: VersionToRestore,
    responses: { 200: Report },
    problems: ['report_not_ready'],
    find,
    change: (context, _tx, _prepared, row) => restoreVersion(context, row, context.body),
    etag: true,
  })
}
