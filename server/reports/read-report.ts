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
import { linkedDocument, type StoredDocument } from './stored-document.ts'

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
  const document = linkedDocument(row.document as StoredDocument, {
    publicUrl,
    project: context.target,
    forPublic: false,
  })
  return {
    title: document.title,
    extension: format,
    isShown: format === 'html',
    ...rendered(format, document),
  }
}

function rendered(
  format: Exclude<Format, 'json'>,
  document: ReportDocument,
): Pick<GeneratedFile, 'contentType' | 'content'> {
  switch (format) {
    case 'md':
      return { contentType: 'text/markdown; charset=utf-8', content: renderMarkdown(document) }
    case 'html':
      return { contentType: 'text/html; charset=utf-8', content: renderHtml(document) }
    case 'pdf':
      return { contentType: 'application/pdf', content: pdfOf(document) }
  }
}

/** Sent while it is generated; an error ends the response. */
function pdfOf(document: ReportDocument): PassThrough {
  const stream = new PassThrough()
  drawPdf(document, stream).catch((error: Error) => stream.destroy(error))
  return stream
}

/** Imported on first use: the module takes 7 MB of memory. */
async function drawPdf(document: ReportDocument, stream: PassThrough): Promise<void> {
  const { renderPdf } = await import('./render/pdf.ts')
  await renderPdf(document, stream)
}
