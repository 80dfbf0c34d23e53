import { Readable } from 'node:stream'
import type { z } from 'zod'
import { inTransaction } from '../../database/database.ts'
import type { Clock } from '../../platform/clock.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { zipped } from '../../storage/zip/zip.ts'
import { type Answer, ok } from '../api/response.ts'
import { audit, type Context } from '../auth/index.ts'
import { contentDisposition } from '../conversations/index.ts'
import type { Downloads } from './downloads.ts'
import type { ExportAccess } from './find-export.ts'
import { type ExportQuery, type ExportRow, toExport } from './schema.ts'
import { whileAllowed } from './while-allowed.ts'
import { workspaceFiles } from './workspace-files.ts'

export interface ExportParts {
  files: FileStore
  publicUrl: string
  clock: Clock
  downloads: Downloads
}

type ReadContext = Context<ExportAccess, undefined, z.output<typeof ExportQuery>>

/** Its record, or the zip itself; who took that along is noted each time. */
export async function readExport(context: ReadContext, row: ExportRow, parts: ExportParts): Promise<Answer> {
  const { target: workspace, query } = context
  if (query.format === 'json') return ok(toExport(row, parts.publicUrl))
  const end = parts.downloads.begin(workspace.id)
  try {
    await noteReading(context, row)
  } catch (error) {
    end()
    throw error
  }
  return {
    status: 200,
    headers: {
      'content-type': 'application/zip',
      'content-disposition': contentDisposition('attachment', workspace.name, 'zip'),
    },
    // Closed as well when the client goes away, or asked for the head alone.
    body: zipOf(context, row, parts).once('close', end),
  }
}

const noteReading = ({ db, ...context }: ReadContext, { id }: ExportRow): Promise<void> =>
  inTransaction(db, (tx) =>
    audit(tx, context, {
      action: 'export.read',
      organisationId: context.target.organisation_id,
      workspaceId: context.target.id,
      target: { kind: 'export', id },
    }),
  )

function zipOf(context: ReadContext, { audio }: ExportRow, { clock, ...parts }: ExportParts): Readable {
  const files = workspaceFiles({ ...parts, db: context.db, audio }, context.target)
  const watch = {
    judge: context.judgeAgain,
    onIdle: () => zip.destroy(new Error('nobody takes the rest of it')),
    clock,
  }
  // As much as a socket takes at once: more would only wait.
  const zip: Readable = Readable.from(whileAllowed(zipped(files), watch), {
    objectMode: false,
    highWaterMark: 64 * 1024,
  })
  return zip
}
