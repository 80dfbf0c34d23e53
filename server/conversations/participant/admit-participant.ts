import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { LookUps } from '../../../database/pipelined-queries.ts'
import { batchLoader } from '../../../platform/batch-loader.ts'
import { isUuid } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import type { ConversationRow } from '../payload.ts'

/** Proves "I started this recording", nothing more. Only its digest is kept. */
export const newParticipantToken = (): string => randomBytes(24).toString('base64url')

export const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/** What a participant's request needs to know of its conversation. */
export type AdmittedConversation = Pick<
  ConversationRow,
  'id' | 'project_id' | 'status' | 'started_at' | 'bytes' | 'token_digest'
> & { workspace_id: string }

/** The conversation that the path names, if the caller holds its token. One that was withdrawn is not there any more. */
export type AdmitParticipant = (
  id: string,
  token: string | string[] | undefined,
) => Promise<AdmittedConversation>

export function createAdmission(lookUps: LookUps): AdmitParticipant {
  const find = batchLoader((ids: string[]) => findAll(lookUps, ids))
  return async (id, token) => {
    const row = isUuid(id) ? await find(id.toLowerCase()) : undefined
    if (!row) throw new Problem('not_found')
    const isTheirs =
      typeof token === 'string' &&
      row.token_digest !== null &&
      timingSafeEqual(digestOf(token), row.token_digest)
    if (!isTheirs) throw new Problem('participant_token_rejected')
    return row
  }
}

/** Named, so that PostgreSQL plans it once and not each time that a crowd's chunks come. */
const STATEMENT = `
  select c.id, c.project_id, p.workspace_id, c.status, c.started_at, c.bytes, c.token_digest
  from conversations c join projects p on p.id = c.project_id
  where c.id = any($1) and c.deleted_at is null and p.deleted_at is null`

async function findAll(lookUps: LookUps, ids: string[]): Promise<Map<string, AdmittedConversation>> {
  const { rows } = await lookUps.query<AdmittedConversation>({
    name: 'admit_participants',
    text: STATEMENT,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.id, row]))
}
