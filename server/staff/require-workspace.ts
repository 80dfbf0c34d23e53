import type { Db } from '../../database/database.ts'
import { isUuid } from '../../platform/ids.ts'
import { Problem } from '../api/problems.ts'

export async function requireWorkspace(db: Db, id: string | undefined): Promise<void> {
  if (!isUuid(id)) throw new Problem('not_found')
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
}
