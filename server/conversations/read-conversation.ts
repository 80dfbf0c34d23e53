import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/database.ts'
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
  const missing = await findMissingAudio(context.db, row)
  return { ...toConversation(row), missing, consent: consent && { ...consent, text } }
}

/** The times at which audio never arrived or cannot be decoded. */
export async function findMissingAudio(
  db: Db,
  { id, missing_ms }: ConversationRow,
): Promise<{ start_ms: number; end_ms: number }[]> {
  if (missing_ms === 0) return []
  const { rows } = await sql<{ start_ms: number; end_ms: number }>`
    select start_ms, end_ms from missing_audio(${id})`.execute(db)
  return rows
}

/** The record as lists show it. */
export function withoutConsentText(
  record: z.output<typeof ConversationInFull>,
): z.output<typeof Conversation> {
  const { missing: _, ...listed } = record
  if (listed.consent === null) return { ...listed, consent: null }
  const { text: _text, ...consent } = listed.consent
  return { ...listed, consent }
}
