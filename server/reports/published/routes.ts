import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import { contentDisposition } from '../../api/files/file-name.ts'
import { Problem } from '../../api/problems.ts'
import type { Router } from '../../api/router.ts'
import { id, timestamp } from '../../api/schema.ts'
import { renderHtml } from '../render/html.ts'
import { HTML_POLICY } from '../render/html-style.ts'
import { renderMarkdown } from '../render/markdown.ts'
import { renderNotFound } from '../render/not-found.ts'
import { CONTENT_TYPES } from '../render/report-file.ts'
import { findPublished, readPublishedReport } from './find-published.ts'
import { createPublishedPdfs } from './published-pdfs.ts'

const PublishedReport = z
  .object({
    id,
    title: z.string(),
    language: z.string(),
    created_at: timestamp,
    url: z.url().describe('The page of the report'),
    markdown: z.string(),
    html: z.string().describe('A complete HTML page, safe to show in a sandboxed iframe'),
  })
  .meta({ id: 'PublishedReport' })

/** The report that participants can read, without the names of speakers. */
export function registerPublishedReport(router: Router, db: Db, publicUrl: string): void {
  router.read({
    id: 'readPublishedReport',
    summary: 'Read the published report of a project',
    tag: 'Participants',
    url: '/api/participant/projects/:pid/report',
    access: { kind: 'public' },
    responses: { 200: PublishedReport },
    read: async ({ params }) => {
      const { id: reportId, document } = await readPublishedReport(db, params['pid'])
      const { title, language, created_at } = document
      const renderings = { markdown: renderMarkdown(document), html: renderHtml(document) }
      return { id: reportId, title, language, created_at, url: `${publicUrl}/r/${reportId}`, ...renderings }
    },
  })
}

const PAGE_HEADERS = {
  'content-security-policy': HTML_POLICY,
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
  // A withdrawn quotation must not stay in caches.
  'cache-control': 'no-store',
}

const Format = z.enum(['html', 'md', 'pdf']).default('html')

/** `/r/{rid}`: a published report, as a page or, with `?format=`, as a file. Everything else is the same 404 page. */
export function registerReportPage(router: Router, db: Db): void {
  const pdfOf = createPublishedPdfs()
  router.page('/r/:rid', async ({ params, query }, reply) => {
    const format = formatOf(query['format'])
    const document = await findPublished(db, params['rid'])
    reply.headers(PAGE_HEADERS)
    if (document === null) return sendPage(reply.code(404), renderNotFound())
    if (format === 'html') return sendPage(reply, renderHtml(document, { pdfUrl: '?format=pdf' }))
    const content = format === 'pdf' ? await pdfOf(document) : renderMarkdown(document)
    return reply
      .type(CONTENT_TYPES[format])
      .header(
        'content-disposition',
        contentDisposition('attachment', { title: document.title, untitled: 'report' }, format),
      )
      .send(content)
  })
}

const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(page)

/** Other parameters are ignored: mail programs and social networks add their own to links. */
function formatOf(value: unknown): z.output<typeof Format> {
  const { data, success } = Format.safeParse(value)
  if (success) return data
  const message = 'must be html, md or pdf'
  throw new Problem('bad_request', {
    detail: `The query parameter "format" ${message}.`,
    errors: [{ path: 'format', message }],
  })
}
