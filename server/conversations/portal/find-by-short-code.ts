import type { Db } from '../../../database/database.ts'
import { parseCode } from '../short-code.ts'

/** The project of a short link, which people also type. */
export async function findByShortCode(db: Db, typed: string): Promise<{ id: string } | undefined> {
  const code = parseCode(typed)
  if (code === null) return undefined
  return db
    .selectFrom('projects')
    .select('id')
    .where('short_code', '=', code)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}
