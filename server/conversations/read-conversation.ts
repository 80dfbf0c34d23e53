import type { Db } from '../../database/database.ts'
import { type Answer, ok } from '../api/response.ts'
import type { Context } from '../auth/index.ts'
import { findConsentText, noteStaffReading } from '../tenancy/index.ts'
import type { ConversationAccess } from './find-conversation.ts'
import type { ConversationRow } from './payload.ts'
import { toConversation } from './schema.ts'

export async function readConversation(
  context: Context<ConversationAccess>,
  row: ConversationRow,
): Promise<Answer> {
  await noteStaffReading(context, 'conversation.read', { kind: 'conversation', id: row.id })
  const record = toConversation(row)
  return ok({ ...record, consent: await inFull(context.db, row) }, record)
}

/** With the text itself, which the project's settings may have changed since. */
async function inFull(db: Db, { project_id, consent }: ConversationRow) {
  return consent && { ...consent, text: await findConsentText(db, project_id, consent.text_sha256) }
}
