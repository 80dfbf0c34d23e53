import { z } from 'zod'
import type { Db } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import type { Router } from '../api/router.ts'
import { id, timestamp } from '../api/schema.ts'
import { findProject } from '../conversations/index.ts'
import { existingReports } from './find-report.ts'
import { renderHtml } from './render/html.ts'
import { renderMarkdown } from './render/markdown.ts'
import { linkedDocument, type StoredDocument } from './stored-document.ts'

const PublishedReport = z
  .object({
    id,
    title: z.string(),
    language: z.string(),
    created_at: timestamp,
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
      if (!row?.document) throw new Problem('not_found')
      const document = linkedDocument(row.document as StoredDocument, { publicUrl, project, forPublic: true })
      const { title, language, created_at } = document
      const renderings = { markdown: renderMarkdown(document), html: renderHtml(document) }
      return { id: row.id, title, language, created_at, ...renderings }
    },
  })
}
