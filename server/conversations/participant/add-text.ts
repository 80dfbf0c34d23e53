import { sql } from 'kysely'
import { inTransaction, type Tx } from '../../../database/database.ts'
import type { Keyring } from '../../../platform/encryption.ts'
import { newId } from '../../../platform/ids.ts'
import { once } from '../../api/idempotency.ts'
import { Problem } from '../../api/problems.ts'
import { type Answer, created } from '../../api/response.ts'
import { lockConversation } from '../lifecycle/lock-conversation.ts'
import { advance, reopenConversation } from '../lifecycle/steps.ts'
import type { AdmittedConversation } from './admit-participant.ts'
import type { ChunkParts } from './put-chunk.ts'

export interface TextParts extends ChunkParts {
  keyring: Keyring
}

/** What somebody writes instead of saying it. */
export async function addText(
  parts: TextParts,
  conversation: AdmittedConversation,
  content: string,
  key: string | undefined,
): Promise<Answer> {
  await parts.quota.requireRoomIn(conversation)
  const path = `/api/participant/conversations/${conversation.id}`
  const request = { userId: `conversation ${conversation.id}`, key, method: 'POST', path, body: content }
  return inTransaction(parts.db, (tx) =>
    once(tx, parts.keyring, request, async () => {
      const id = await write(parts, tx, conversation.id, content)
      return created({ id }, path)
    }),
  )
}

async function write(parts: TextParts, tx: Tx, conversationId: string, content: string): Promise<string> {
  const row = await lockConversation(tx, conversationId)
  if (!row) throw new Problem('not_found')
  const id = newId()
  await tx.insertInto('text_entries').values({ id, conversation_id: row.id, content }).execute()
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
  return id
}
