import { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import { findProject } from '../../conversations/index.ts'
import { existingReports } from '../find-report.ts'
import { findPublishedVersion } from '../versions/find-version.ts'
import { publishedDocument } from './published-document.ts'

/** The published report of a project. */
export async function readPublishedReport(db: Db, projectId: string | undefined) {
  const project = await findProject(db, projectId)
  const row = await existingReports(db)
    .where('project_id', '=', project.id)
    .where('published', '=', true)
    .executeTakeFirst()
  const stored = row?.document ? await findPublishedVersion(db, row) : null
  if (!row || !stored) throw new Problem('not_found')
  return { id: row.id, document: publishedDocument(stored, project.name, row.redact_names) }
}

/** The document of a published report, or null. */
export async function findPublished(db: Db, reportId: string | undefined) {
  if (!z.uuid().safeParse(reportId).success) return null
  const row = await db
    .selectFrom('reports as r')
    .innerJoin('projects as p', 'p.id', 'r.project_id')
    .selectAll('r')
    .select('p.name')
    .where('r.id', '=', reportId ?? '')
    .where('r.published', '=', true)
    .where('r.deleted_at', 'is', null)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
  const stored = row?.document ? await findPublishedVersion(db, row) : null
  return row && stored ? publishedDocument(stored, row.name, row.redact_names) : null
}
