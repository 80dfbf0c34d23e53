import { sql } from 'kysely'
import type { Tx } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { lockExisting } from '../find-conversation.ts'
import { advance, type Lifecycle, reopenConversation } from '../lifecycle/steps.ts'

/** Stores a text that a participant types instead of speaking. */
export async function addText(
  lifecycle: Lifecycle,
  tx: Tx,
  conversation_id: string,
  content: string,
): Promise<{ id: string }> {
  const row = await lockExisting(tx, conversation_id)
  const id = newId()
  await tx.insertInto('text_entries').values({ id, conversation_id, content }).execute()
  await tx
    .updateTable('conversations')
    .set({
      active_at: sql`now()`,
      bytes: sql`bytes + ${Buffer.byteLength(content)}`,
      // A conversation without any audio is a written one.
      source: sql`case when exists (select from chunks where conversation_id = ${row.id}) then source else 'portal_text' end`,
    })
    .where('id', '=', row.id)
    .execute()
  if (row.finished_at !== null) await advance(lifecycle, tx, await reopenConversation(tx, row))
  return { id }
}
