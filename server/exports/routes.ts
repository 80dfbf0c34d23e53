import { z } from 'zod'
import type { Router } from '../auth/index.ts'
import type { Limits } from '../tenancy/index.ts'
import { createExport } from './create-export.ts'
import { createDownloads } from './downloads.ts'
import { findExport } from './find-export.ts'
import { type ExportParts, readExport } from './read-export.ts'
import { Export, ExportQuery, NewExport } from './schema.ts'

const tag = 'Workspaces'
const ofWorkspace = '/api/v2/workspaces/:wid'
const access = { kind: 'workspace', capability: 'workspace:export' } as const

/** A whole workspace as one zip. */
export function registerExports(
  router: Router,
  { limits, ...given }: Omit<ExportParts, 'downloads'> & { limits: Limits },
): void {
  const parts = { ...given, downloads: createDownloads() }
  router.change({
    id: 'exportWorkspace',
    summary: 'Ask for everything that a workspace holds, as a zip',
    tag,
    method: 'POST',
    url: `${ofWorkspace}/export`,
    access,
    body: NewExport,
    answers: { 202: Export },
    problems: ['limit_reached'],
    change: (context, tx) => createExport(context, tx, { publicUrl: parts.publicUrl, limits }),
  })
  router.read({
    id: 'readExport',
    summary: 'An export: its record, or the zip',
    tag,
    url: `${ofWorkspace}/exports/:eid`,
    access,
    query: ExportQuery,
    answers: { 200: { 'application/json': Export, 'application/zip': z.string() } },
    find: findExport,
    read: (context, row) => readExport(context, row, parts),
  })
}
