import { sql } from 'kysely'
import { type Answer, created } from '../../kernel/answer.ts'
import { inTransaction } from '../../kernel/database.ts'
import { newId } from '../../kernel/ids.ts'
import { Problem } from '../../kernel/problems.ts'
import { lockConversation } from '../lifecycle/lock-conversation.ts'
import { advance, reopenConversation } from '../lifecycle/steps.ts'
import type { AdmittedConversation } from './admit-participant.ts'
import type { ChunkParts } from './put-chunk.ts'

/** What somebody writes instead of saying it. */
export async function addText(
  parts: ChunkParts,
  conversation: AdmittedConversation,
  content: string,
): Promise<Answer> {
  await parts.quota.requireRoomIn(conversation)
  const id = newId()
  await inTransaction(parts.db, async (tx) => {
    const row = await lockConversation(tx, conversation.id)
    if (!row) throw new Problem('not_found')
    await tx.insertInto('writings').values({ id, conversation_id: row.id, content }).execute()
    await tx
      .updateTable('conversations')
      .set({
        active_at: sql`now()`,
        bytes: sql`bytes + ${Buffer.byteLength(content)}`,
        // Whoever only writes holds a written conversation.
        source: sql`case when exists (select from chunks where conversation_id = ${row.id}) then source else 'portal_text' end`,
      })
      .where('id', '=', row.id)
      .execute()
    if (row.finished_at !== null) await advance(parts, tx, await reopenConversation(tx, row))
  })
  return created({ id }, `/api/participant/conversations/${conversation.id}`)
}
