import { sql } from 'kysely'
import type { Db, Tx } from '../../../database/database.ts'
import { prepared } from '../../../database/prepared-statements.ts'
import type { EventEnvelope } from './serialise.ts'

/** The id and time of a new event, and the tenant that it belongs to. */
interface NewEnvelope extends Omit<EventEnvelope, 'publicUrl' | 'isTest'> {
  deleted: boolean
}

/** Id and time come from the database, so that all processes use one clock. */
export async function newEnvelope(db: Db | Tx, projectId: string): Promise<NewEnvelope> {
  const { rows } = await sql<NewEnvelope>`${prepared}
    select uuid_v7() as id, date_trunc('milliseconds', clock_timestamp()) as timestamp,
      w.organisation_id as "organisationId", w.id as "workspaceId", p.name as "projectName",
      p.deleted_at is not null as deleted
    from projects p join workspaces w on w.id = p.workspace_id
    where p.id = ${projectId}`.execute(db)
  const row = rows[0]
  if (!row) throw new Error(`Cannot emit an event: project ${projectId} does not exist`)
  return row
}
