import type { Tx } from '../../../database/database.ts'
import type { ConversationRow } from '../payload.ts'

/** Every step locks the conversation first, so that steps do not overlap. Returns null when it was deleted. */
export async function lockConversation(tx: Tx, id: string): Promise<ConversationRow | null> {
  const row = await tx
    .selectFrom('conversations')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}
