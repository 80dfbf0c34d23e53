import { PassThrough } from 'node:stream'
import type { z } from 'zod'
import type { GeneratedFile } from '../api/files/file-response.ts'
import { Problem } from '../api/problems.ts'
import type { Context } from '../api/route-spec.ts'
import type { ProjectTarget } from '../auth/index.ts'
import { noteStaffReading } from '../tenancy/index.ts'
import { renderHtml } from './render/html.ts'
import { renderMarkdown } from './render/markdown.ts'
import type { ReportDocument } from './render/report-document.ts'
import { type Report, type ReportQuery, type ReportRow, toReport } from './schema.ts'
import { documentForMembers, type StoredDocument } from './stored-document.ts'

type Format = z.output<typeof ReportQuery>['format']

/** The record of a report, or its document as a file. */
export async function readReport(
  context: Context<ProjectTarget>,
  row: ReportRow,
  { format, publicUrl }: { format: Format; publicUrl: string },
): Promise<z.output<typeof Report> | GeneratedFile> {
  await noteStaffReading(context, 'report.read', { kind: 'report', id: row.id })
  if (format === 'json') return toReport(row)
  if (row.document === null) throw new Problem('report_not_ready')
  const document = documentForMembers(row.document as StoredDocument, {
    publicUrl,
    project: context.target,
  })
  const [contentType, render] = RENDERERS[format]
  const isShown = format === 'html'
  return { title: document.title, extension: format, isShown, contentType, content: render(document) }
}

const RENDERERS = {
  md: ['text/markdown; charset=utf-8', renderMarkdown],
  html: ['text/html; charset=utf-8', renderHtml],
  pdf: ['application/pdf', pdfOf],
} as const

/** Sent while it is generated; an error ends the response. The module is imported on first use, because it takes 7 MB of memory. */
function pdfOf(document: ReportDocument): PassThrough {
  const stream = new PassThrough()
  import('./render/pdf.ts')
    .then(({ renderPdf }) => renderPdf(document, stream))
    .catch((error: Error) => stream.destroy(error))
  return stream
}
