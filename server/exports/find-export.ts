import { sql } from 'kysely'
import { isUuid } from '../../platform/ids.ts'
import { Problem } from '../api/problems.ts'
import type { Context } from '../auth/index.ts'
import type { ExportRow } from './schema.ts'

export type ExportAccess = { kind: 'workspace'; capability: 'workspace:export' }

/** The export that the path names, while it lives. */
export async function findExport({ db, params, target }: Context<ExportAccess>): Promise<ExportRow> {
  const id = params['eid'] ?? ''
  const row = isUuid(id)
    ? await db
        .selectFrom('exports')
        .selectAll()
        .where('id', '=', id)
        .where('workspace_id', '=', target.id)
        .where('expires_at', '>', sql<string>`now()`)
        .executeTakeFirst()
    : undefined
  if (!row) throw new Problem('not_found')
  return row
}
