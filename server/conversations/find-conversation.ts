import { Problem } from '../api/problems.ts'
import type { Context } from '../auth/index.ts'
import type { ConversationRow } from './payload.ts'

export type ConversationAccess = {
  kind: 'project'
  capability: 'conversation:read' | 'conversation:update' | 'conversation:delete'
  through?: 'conversation'
}

/** The conversation that the path names; the access check has found its project already. */
export async function findConversation({
  db,
  params,
}: Context<ConversationAccess>): Promise<ConversationRow> {
  const row = await db
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', params['cid'] ?? '')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new Problem('not_found')
  return row
}
