import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../kernel/database.ts'
import { isUuid } from '../../kernel/ids.ts'
import { Problem } from '../../kernel/problems.ts'
import type { ConversationRow } from '../payload.ts'

/** Proves "I started this recording", nothing more. Only its digest is kept. */
export const newParticipantToken = (): string => randomBytes(24).toString('base64url')

export const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/** The conversation that the path names, if the caller holds its token. One that was withdrawn is not there any more. */
export async function admitParticipant(
  db: Db,
  id: string,
  token: string | string[] | undefined,
): Promise<ConversationRow> {
  const row = isUuid(id) ? await find(db, id) : undefined
  if (!row) throw new Problem('not_found')
  const isTheirs =
    typeof token === 'string' &&
    row.token_digest !== null &&
    timingSafeEqual(digestOf(token), row.token_digest)
  if (!isTheirs) throw new Problem('participant_token_rejected')
  return row
}

const find = (db: Db, id: string): Promise<ConversationRow | undefined> =>
  db
    .selectFrom('conversations')
    .innerJoin('projects', 'projects.id', 'conversations.project_id')
    .selectAll('conversations')
    .where('conversations.id', '=', id)
    .where('conversations.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    .executeTakeFirst()
