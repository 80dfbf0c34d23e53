import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../../database/database.ts'
import type { Tables } from '../../../database/tables.ts'
import { isUuid } from '../../../platform/ids.ts'
import { linkProblem } from '../../../platform/url-text.ts'
import { Problem } from '../../api/problems.ts'
import type { Portal } from './schema.ts'

export type ProjectRow = Selectable<Tables['projects']>

/** The project of a public link. */
export async function findProject(db: Db, id: string | undefined): Promise<ProjectRow> {
  const row = isUuid(id)
    ? await db
        .selectFrom('projects')
        .selectAll()
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
    : undefined
  if (!row) throw new Problem('not_found')
  return row
}

/** The fields of a project that its recording page shows, and no others. */
export async function readPortal(db: Db, projectId: string | undefined): Promise<z.output<typeof Portal>> {
  const row = await findProject(db, projectId)
  return {
    id: row.id,
    name: row.name,
    language: row.language,
    languages: row.languages,
    is_open: row.is_open,
    title: row.title,
    description: row.description,
    finish_text: row.finish_text,
    ask_name: row.ask_name,
    ask_email: row.ask_email,
    tags: row.tags,
    consent_text: row.consent_text,
    privacy_url: safeLink(row.privacy_url),
  }
}

/** Links stored before the rule for links can be http or contain user information. Participants do not get those. */
const safeLink = (url: string | null): string | null =>
  url !== null && linkProblem(url) === null ? url : null
