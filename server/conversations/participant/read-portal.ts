import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Db, Tx } from '../../../database/database.ts'
import type { Tables } from '../../../database/tables.ts'
import { isUuid } from '../../../platform/ids.ts'
import { linkProblem } from '../../../platform/url-text.ts'
import { notFound } from '../find-conversation.ts'
import { Portal } from './schema.ts'

export type ProjectRow = Selectable<Tables['projects']>

/** Selects one project that was not deleted. */
export const projectById = (db: Db | Tx, id: string) =>
  db.selectFrom('projects').selectAll().where('id', '=', id).where('deleted_at', 'is', null)

/** The project of a public link. */
export async function findProject(db: Db, id: string | undefined): Promise<ProjectRow> {
  if (!isUuid(id)) throw notFound()
  return projectById(db, id).executeTakeFirstOrThrow(notFound)
}

/** The fields of a project that its recording page shows; the schema removes all others. */
export async function readPortal(db: Db, projectId: string | undefined): Promise<z.output<typeof Portal>> {
  const row = await findProject(db, projectId)
  return Portal.parse({ ...row, privacy_url: safeLink(row.privacy_url) })
}

/** Links stored before the rule for links can be http or contain user information. Participants do not get those. */
const safeLink = (url: string | null): string | null =>
  url !== null && linkProblem(url) === null ? url : null
