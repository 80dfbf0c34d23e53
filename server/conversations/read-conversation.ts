import type { Context } from '../access/index.ts'
import { type Answer, ok } from '../kernel/answer.ts'
import { noteStaffReading } from '../tenancy/index.ts'
import type { ConversationAccess } from './find-conversation.ts'
import type { ConversationRow } from './payload.ts'
import { toConversation } from './schema.ts'

export async function readConversation(
  context: Context<ConversationAccess>,
  row: ConversationRow,
): Promise<Answer> {
  await noteStaffReading(context, 'conversation.read', { kind: 'conversation', id: row.id })
  return ok(toConversation(row))
}
