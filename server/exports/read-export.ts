import { Readable } from 'node:stream'
import type { z } from 'zod'
import { audit, type Context } from '../access/index.ts'
import { contentDisposition } from '../conversations/index.ts'
import { type Answer, ok } from '../kernel/answer.ts'
import { inTransaction } from '../kernel/database.ts'
import type { FileStore } from '../kernel/files/file-store.ts'
import { zipped } from '../kernel/zip/zip.ts'
import type { ExportAccess } from './find-export.ts'
import { type ExportQuery, type ExportRow, toExport } from './schema.ts'
import { workspaceFiles } from './workspace-files.ts'

export interface ExportParts {
  files: FileStore
  publicUrl: string
}

/** Its record, or the zip itself; who took that along is noted each time. */
export async function readExport(
  context: Context<ExportAccess, undefined, z.output<typeof ExportQuery>>,
  row: ExportRow,
  parts: ExportParts,
): Promise<Answer> {
  const { db, target: workspace, query } = context
  if (query.format === 'json') return ok(toExport(row, parts.publicUrl))
  await inTransaction(db, (tx) =>
    audit(tx, context, {
      action: 'export.read',
      organisationId: workspace.organisation_id,
      workspaceId: workspace.id,
      target: { kind: 'export', id: row.id },
    }),
  )
  const zip = zipped(workspaceFiles({ ...parts, db, audio: row.audio }, workspace))
  return {
    status: 200,
    headers: {
      'content-type': 'application/zip',
      'content-disposition': contentDisposition('attachment', workspace.name, 'zip'),
    },
    // As much as a socket takes at once: more would only wait.
    body: Readable.from(zip, { objectMode: false, highWaterMark: 64 * 1024 }),
  }
}
