import { PassThrough, type Readable } from 'node:stream'
import type { GeneratedFile } from '../../api/files/file-response.ts'
import { renderHtml } from './html.ts'
import { renderMarkdown } from './markdown.ts'
import type { ReportDocument } from './report-document.ts'

export type ReportFormat = 'md' | 'html' | 'pdf'

export const CONTENT_TYPES: Record<ReportFormat, string> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
}

/** The document as a file. */
export function reportFile(document: ReportDocument, format: ReportFormat): GeneratedFile {
  const render = { md: renderMarkdown, html: renderHtml, pdf: pdfStream }[format]
  return {
    title: document.title,
    untitled: 'report',
    extension: format,
    isShown: format === 'html',
    contentType: CONTENT_TYPES[format],
    content: render(document),
  }
}

/** Sent while it is generated; an error ends the response. The module is imported on first use, because it takes 7 MB of memory. */
export function pdfStream(document: ReportDocument): Readable {
  const stream = new PassThrough()
  import('./pdf.ts')
    .then(({ renderPdf }) => renderPdf(document, stream))
    .catch((error: Error) => stream.destroy(error))
  return stream
}
