import type { z } from 'zod'
import type { Context } from '../api/route-spec.ts'
import type { ProjectTarget } from '../auth/index.ts'
import { findConsentText, noteStaffReading } from '../tenancy/index.ts'
import type { ConversationRow } from './payload.ts'
import { type Conversation, type ConversationInFull, toConversation } from './schema.ts'

export async function readConversation(
  context: Context<ProjectTarget>,
  row: ConversationRow,
): Promise<z.output<typeof ConversationInFull>> {
  await noteStaffReading(context, 'conversation.read', { kind: 'conversation', id: row.id })
  const { project_id, consent } = row
  // The text that the participant saw; the project can have another one now.
  const text = consent && (await findConsentText(context.db, project_id, consent.text_sha256))
  return { ...toConversation(row), consent: consent && { ...consent, text } }
}

/** The record as lists show it. */
export function withoutConsentText(
  record: z.output<typeof ConversationInFull>,
): z.output<typeof Conversation> {
  if (record.consent === null) return record
  const { text: _, ...consent } = record.consent
  return { ...record, consent }
}
