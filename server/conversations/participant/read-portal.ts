import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Db, Tx } from '../../../database/database.ts'
import type { Tables } from '../../../database/tables.ts'
import { isUuid } from '../../../platform/ids.ts'
import { linkProblem } from '../../../platform/url-text.ts'
import { accentColors, logoPath, recordingUrl, shortUrl } from '../../tenancy/index.ts'
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
export async function readPortal(
  { db, publicUrl }: { db: Db; publicUrl: string },
  projectId: string | undefined,
): Promise<z.output<typeof Portal>> {
  const row = await findProject(db, projectId)
  return Portal.parse({
    ...row,
    organisation: await organisationOf(db, row),
    privacy_url: safeLink(row.privacy_url),
    accent_colors: row.accent_color && accentColors(row.accent_color),
    logo_url: logoPath(row),
    recording_url: recordingUrl(publicUrl, row),
    short_url: shortUrl(publicUrl, row),
  })
}

async function organisationOf(db: Db, { workspace_id }: ProjectRow): Promise<string> {
  const { name } = await db
    .selectFrom('organisations as o')
    .innerJoin('workspaces as w', 'w.organisation_id', 'o.id')
    .select('o.name')
    .where('w.id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  return name
}

/** Links stored before the rule for links can be http or contain user information. Participants do not get those. */
const safeLink = (url: string | null): string | null =>
  url !== null && linkProblem(url) === null ? url : null
