import { PassThrough } from 'node:stream'
import type { z } from 'zod'
import { Problem } from '../api/problems.ts'
import { type Answer, ok } from '../api/response.ts'
import type { Context } from '../auth/index.ts'
import { contentDisposition } from '../conversations/index.ts'
import { noteStaffReading } from '../tenancy/index.ts'
import type { ReportAccess } from './find-report.ts'
import { renderHtml } from './render/html.ts'
import { HTML_POLICY } from './render/html-style.ts'
import { renderMarkdown } from './render/markdown.ts'
import type { ReportDocument } from './render/report-document.ts'
import { type ReportQuery, type ReportRow, toReport } from './schema.ts'
import { linkedDocument, type StoredDocument } from './stored-document.ts'

type Query = z.output<typeof ReportQuery>
type Format = Exclude<Query['format'], 'json'>

/** Its record, or the document itself as a file. */
export async function readReport(
  context: Context<ReportAccess, undefined, Query>,
  row: ReportRow,
  publicUrl: string,
): Promise<Answer> {
  const { format } = context.query
  await noteStaffReading(context, 'report.read', { kind: 'report', id: row.id })
  if (format === 'json') return ok(toReport(row))
  if (row.document === null) throw new Problem('report_not_ready')
  const document = linkedDocument(row.document as StoredDocument, {
    publicUrl,
    project: context.target,
    forPublic: false,
  })
  const { type, body } = rendered(format, document)
  const disposition = contentDisposition(format === 'html' ? 'inline' : 'attachment', document.title, format)
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-disposition': disposition,
      'content-security-policy': HTML_POLICY,
    },
    body,
  }
}

function rendered(format: Format, document: ReportDocument): { type: string; body: unknown } {
  switch (format) {
    case 'md':
      return { type: 'text/markdown; charset=utf-8', body: renderMarkdown(document) }
    case 'html':
      return { type: 'text/html; charset=utf-8', body: renderHtml(document) }
    case 'pdf':
      return { type: 'application/pdf', body: pdfOf(document) }
  }
}

/** Sent while it is being drawn; what goes wrong breaks the answer off. */
function pdfOf(document: ReportDocument): PassThrough {
  const stream = new PassThrough()
  drawPdf(document, stream).catch((error: Error) => stream.destroy(error))
  return stream
}

/** Loaded when the first one is asked for: it keeps 7 MB in memory. */
async function drawPdf(document: ReportDocument, stream: PassThrough): Promise<void> {
  const { renderPdf } = await import('./render/pdf.ts')
  await renderPdf(document, stream)
}
