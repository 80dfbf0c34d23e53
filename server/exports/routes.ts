import { z } from 'zod'
import { fileResponse } from '../api/files/file-response.ts'
import { ok } from '../api/response.ts'
import type { Router } from '../api/router.ts'
import type { Slots } from '../api/shared-limits/slots.ts'
import type { Limits } from '../tenancy/index.ts'
import { createExport } from './create-export.ts'
import { downloadExport, type ExportParts } from './download-export.ts'
import { limitDownloads } from './downloads.ts'
import { findExport } from './find-export.ts'
import { Export, ExportQuery, NewExport, pathOf, toExport } from './schema.ts'

const tag = 'Workspaces'
const ofWorkspace = '/api/v2/workspaces/:wid'
const access = { kind: 'workspace', capability: 'workspace:export' } as const

/** A whole workspace as one zip. */
export function registerExports(
  router: Router,
  { limits, slots, ...given }: Omit<ExportParts, 'beginDownload'> & { limits: Limits; slots: Slots },
): void {
  const parts = { ...given, beginDownload: limitDownloads(slots) }
  router.change({
    id: 'exportWorkspace',
    summary: 'Export everything in a workspace as a zip',
    tag,
    method: 'POST',
    url: `${ofWorkspace}/export`,
    access,
    body: NewExport,
    responses: { 202: Export },
    problems: ['limit_reached'],
    change: (context) => createExport(context, context.body, { publicUrl: parts.publicUrl, limits }),
    location: pathOf,
  })
  router.read({
    id: 'readExport',
    summary: 'Read an export: its record, or the zip file',
    tag,
    url: `${ofWorkspace}/exports/:eid`,
    access,
    query: ExportQuery,
    responses: { 200: { 'application/json': Export, 'application/zip': z.string() } },
    find: ({ db, target, params }) => findExport(db, target.id, params['eid']),
    read: async (context, row) =>
      context.query.format === 'json' ? toExport(row, parts.publicUrl) : downloadExport(context, row, parts),
    respond: (result) => ('content' in result ? fileResponse(result) : ok(result)),
  })
}
