import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { Problem } from '../api/problems.ts'
import type { ExportRow } from './schema.ts'

/** An export that has not expired. */
export async function findExport(db: Db, workspaceId: string, id: string | undefined): Promise<ExportRow> {
  if (!isUuid(id)) throw new Problem('not_found')
  return db
    .selectFrom('exports')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .where('expires_at', '>', sql<string>`now()`)
    .executeTakeFirstOrThrow(() => new Problem('not_found'))
}
