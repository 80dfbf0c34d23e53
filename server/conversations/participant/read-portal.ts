import type { Selectable } from 'kysely'
import type { Db } from '../../../database/database.ts'
import type { Tables } from '../../../database/tables.ts'
import { isUuid } from '../../../platform/ids.ts'
import { linkProblem } from '../../../platform/url-text.ts'
import { Problem } from '../../api/problems.ts'
import { type Answer, found } from '../../api/response.ts'

export type ProjectRow = Selectable<Tables['projects']>

/** The project that a public link names. */
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

/** What a recording page needs to know, and nothing else of the project. */
export async function readPortal(db: Db, projectId: string | undefined): Promise<Answer> {
  const row = await findProject(db, projectId)
  return found({
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
  })
}

/** A link that was stored before the rule for links may be http or carry user information: it is not offered to participants. */
const safeLink = (url: string | null): string | null =>
  url !== null && linkProblem(url) === null ? url : null
