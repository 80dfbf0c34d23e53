import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Db } from '../../database/database.ts'
import { contentDisposition } from '../api/files/file-name.ts'
import { Problem } from '../api/problems.ts'
import type { Router } from '../api/router.ts'
import { id, timestamp } from '../api/schema.ts'
import { findProject } from '../conversations/index.ts'
import { existingReports } from './find-report.ts'
import { publishedDocument } from './published-document.ts'
import { createPublishedPdfs } from './published-pdfs.ts'
import { renderHtml } from './render/html.ts'
import { HTML_POLICY } from './render/html-style.ts'
import { renderMarkdown } from './render/markdown.ts'
import { renderNotFound } from './render/not-found.ts'
import { CONTENT_TYPES } from './render/report-file.ts'
import { findPublishedVersion } from './versions/find-version.ts'

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
      const project = await findProject(db, params['pid'])
      const row = await existingReports(db)
        .where('project_id', '=', project.id)
        .where('published', '=', true)
        .executeTakeFirst()
      const stored = row?.document ? await findPublishedVersion(db, row) : null
      if (!row || !stored) throw new Problem('not_found')
      const document = publishedDocument(stored, project.name, row.redact_names)
      const { title, language, created_at } = document
      const renderings = { markdown: renderMarkdown(document), html: renderHtml(document) }
      return { id: row.id, title, language, created_at, url: `${publicUrl}/r/${row.id}`, ...renderings }
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
export function registerReportPage(app: FastifyInstance, router: Router, db: Db): void {
  const pdfOf = createPublishedPdfs()
  app.get<{ Params: { rid: string }; Querystring: { format?: unknown } }>('/r/:rid', {
    config: { access: { kind: 'public' } },
    schema: { hide: true },
    onRequest: router.guard({ kind: 'public' }),
    handler: async ({ params, query }, reply) => {
      const format = formatOf(query.format)
      const document = await findPublished(db, params.rid)
      reply.headers(PAGE_HEADERS)
      if (document === null) return sendPage(reply.code(404), renderNotFound())
      if (format === 'html') return sendPage(reply, renderHtml(document, { pdfUrl: '?format=pdf' }))
      const content = format === 'pdf' ? await pdfOf(document) : renderMarkdown(document)
      return reply
        .type(CONTENT_TYPES[format])
        .header('content-disposition', contentDisposition('attachment', document.title, format))
        .send(content)
    },
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

async function findPublished(db: Db, reportId: string) {
  if (!z.uuid().safeParse(reportId).success) return null
  const row = await db
    .selectFrom('reports as r')
    .innerJoin('projects as p', 'p.id', 'r.project_id')
    .selectAll('r')
    .select('p.name')
    .where('r.id', '=', reportId)
    .where('r.published', '=', true)
    .where('r.deleted_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  const stored = row?.document ? await findPublishedVersion(db, row) : null
  return row && stored ? publishedDocument(stored, row.name, row.redact_names) : null
}
