import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/database.ts'

/** The id and time of an event to come, and where it happens. */
export interface NewTelling {
  id: string
  timestamp: string
  organisationId: string
  workspaceId: string
  projectName: string
  /** The project is deleted: nobody is left to be told. */
  deleted: boolean
}

/** From the database, since id and time stand in the body and only its clock counts. */
export async function newTelling(on: Db | Tx, projectId: string): Promise<NewTelling> {
  const { rows } = await sql<NewTelling>`
    select uuid_v7() as id, date_trunc('milliseconds', clock_timestamp()) as timestamp,
      w.organisation_id as "organisationId", w.id as "workspaceId", p.name as "projectName",
      p.deleted_at is not null as deleted
    from projects p join workspaces w on w.id = p.workspace_id
    where p.id = ${projectId}`.execute(on)
  const row = rows[0]
  if (!row) throw new Error('an event needs a project that exists')
  return row
}
