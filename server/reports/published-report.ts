import { z } from 'zod'
import type { Db } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import { found } from '../api/response.ts'
import { id, timestamp } from '../api/schema.ts'
import { findProject, type ParticipantRoutes } from '../conversations/index.ts'
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
    html: z.string().describe('A whole page, safe to show in a frame of its own'),
  })
  .meta({ id: 'PublishedReport' })

/** The report that participants may read, without the names of those who spoke. */
export function registerPublishedReport(routes: ParticipantRoutes, db: Db, publicUrl: string): void {
  routes.open({
    id: 'readPublishedReport',
    summary: 'The report that the host published',
    method: 'GET',
    url: '/projects/:pid/report',
    answers: { 200: PublishedReport },
    handle: async ({ params }) => {
      const project = await findProject(db, params['pid'])
      const row = await db
        .selectFrom('reports')
        .selectAll()
        .where('project_id', '=', project.id)
        .where('published', '=', true)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      if (!row?.document) throw new Problem('not_found')
      const document = linkedDocument(row.document as StoredDocument, { publicUrl, project, forPublic: true })
      const { title, language, created_at } = document
      const renderings = { markdown: renderMarkdown(document), html: renderHtml(document) }
      return found({ id: row.id, title, language, created_at, ...renderings })
    },
  })
}
