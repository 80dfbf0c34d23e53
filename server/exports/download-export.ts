import { Readable } from 'node:stream'
import { inTransaction } from '../../database/database.ts'
import type { Clock } from '../../platform/clock.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { streamZip } from '../../storage/zip/zip.ts'
import type { GeneratedFile } from '../api/files/file-response.ts'
import type { Context, RouteContext } from '../api/route-spec.ts'
import { audit, type WorkspaceTarget } from '../auth/index.ts'
import type { BeginDownload } from './downloads.ts'
import type { ExportRow } from './schema.ts'
import { whileAllowed } from './while-allowed.ts'
import { workspaceFiles } from './workspace-files.ts'

export interface ExportParts {
  files: FileStore
  publicUrl: string
  clock: Clock
  beginDownload: BeginDownload
}

type DownloadContext = Context<WorkspaceTarget> & Pick<RouteContext, 'reauthorize'>

/** Generates the zip while it is read. Each download has an audit entry. */
export async function downloadExport(
  context: DownloadContext,
  row: ExportRow,
  parts: ExportParts,
): Promise<GeneratedFile> {
  const { target: workspace } = context
  const end = await parts.beginDownload(workspace.id)
  await auditDownload(context, row).catch((error: unknown) => {
    end()
    throw error
  })
  return {
    title: workspace.name,
    untitled: 'export',
    extension: 'zip',
    contentType: 'application/zip',
    // Closes also when the client disconnects, or sent a HEAD request.
    content: zipOf(context, row, parts).once('close', end),
  }
}

const auditDownload = (context: Context<WorkspaceTarget>, { id }: ExportRow): Promise<void> =>
  inTransaction(context.db, (tx) =>
    audit(tx, context, {
      action: 'export.read',
      organisationId: context.target.organisation_id,
      workspaceId: context.target.id,
      target: { kind: 'export', id },
    }),
  )

function zipOf(
  { db, target, reauthorize }: DownloadContext,
  { audio }: ExportRow,
  { clock, ...parts }: ExportParts,
): Readable {
  const files = workspaceFiles({ ...parts, db, audio }, target)
  const options = {
    reauthorize,
    onIdle: () => zip.destroy(new Error('The client stopped reading the export')),
    clock,
  }
  // The size of a socket's buffer: more would only wait in memory.
  const zip: Readable = Readable.from(whileAllowed(streamZip(files), options), {
    objectMode: false,
    highWaterMark: 64 * 1024,
  })
  return zip
}
