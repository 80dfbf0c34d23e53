import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Db } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import type { Router } from '../api/router.ts'
import { id, timestamp } from '../api/schema.ts'
import { findProject } from '../conversations/index.ts'
import { existingReports } from './find-report.ts'
import { publishedDocument } from './published-document.ts'
import { renderHtml } from './render/html.ts'
import { HTML_POLICY } from './render/html-style.ts'
import { renderMarkdown } from './render/markdown.ts'
import { renderNotFound } from './render/not-found.ts'
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

/** `/r/{rid}`: the page of a published report. Everything else is the same 404 page. */
export function registerReportPage(app: FastifyInstance, router: Router, db: Db): void {
  app.get<{ Params: { rid: string } }>('/r/:rid', {
    config: { access: { kind: 'public' } },
    schema: { hide: true },
    onRequest: router.guard({ kind: 'public' }),
    handler: async ({ params }, reply) => {
      const document = await findPublished(db, params.rid)
      return reply
        .code(document === null ? 404 : 200)
        .type('text/html; charset=utf-8')
        .headers({
          'content-security-policy': HTML_POLICY,
          'x-robots-tag': 'noindex, nofollow',
          'referrer-policy': 'no-referrer',
          // A withdrawn quotation must not stay in caches.
          'cache-control': 'no-store',
        })
        .send(document === null ? renderNotFound() : renderHtml(document))
    },
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
