import type { Db } from '../../database/database.ts'
import { Problem } from '../api/problems.ts'
import type { ConversationRow } from './payload.ts'

/** A conversation whose project the caller has access to. */
export async function findConversation(db: Db, id: string): Promise<ConversationRow> {
  const row = await db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  return row
}
