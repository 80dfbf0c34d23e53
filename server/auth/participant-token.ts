import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { PipelinedQueries } from '../../database/pipelined-queries.ts'
import type { Tables } from '../../database/tables.ts'
import { isUuid } from '../../platform/ids.ts'
import { Problem } from '../api/problems.ts'
import { createBatchLoader } from './batch-loader.ts'

/** Proves "I started this recording", nothing more. Only its digest is stored. */
export const newParticipantToken = (): string => randomBytes(24).toString('base64url')

export const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/** The conversation of a participant's request. */
export type ParticipantConversation = Pick<
  Selectable<Tables['conversations']>,
  'id' | 'project_id' | 'status' | 'started_at' | 'bytes' | 'token_digest' | 'code'
> & { workspace_id: string }

/** Returns the conversation with this id if the token is its token. A withdrawn conversation is not found. */
export type VerifyParticipantToken = (id: string, token: unknown) => Promise<ParticipantConversation>

export function createParticipantTokens(pipelined: PipelinedQueries): VerifyParticipantToken {
  const load = createBatchLoader((ids: string[]) => loadConversations(pipelined, ids))
  return async (id, token) => {
    const row = isUuid(id) ? await load(id.toLowerCase()) : undefined
    if (!row) throw new Problem('not_found')
    if (typeof token === 'string' && row.token_digest && timingSafeEqual(digestOf(token), row.token_digest))
      return row
    throw new Problem('participant_token_rejected')
  }
}

/** Named, so that PostgreSQL plans it once per connection instead of once per chunk. */
const STATEMENT = `
  select c.id, c.project_id, p.workspace_id, c.status, c.started_at, c.bytes, c.token_digest, c.code
  from conversations c join projects p on p.id = c.project_id
  where c.id = any($1) and c.deleted_at is null and p.deleted_at is null`

async function loadConversations(pipelined: PipelinedQueries, ids: string[]) {
  const { rows } = await pipelined.query<ParticipantConversation>({
    name: 'participant_conversations',
    text: STATEMENT,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.id, row]))
}
