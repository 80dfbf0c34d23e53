import { hash } from 'node:crypto'
import type { z } from 'zod'
import { type Answer, created } from '../../kernel/answer.ts'
import { type Db, inTransaction, type Tx } from '../../kernel/database.ts'
import { newId } from '../../kernel/ids.ts'
import { Problem } from '../../kernel/problems.ts'
import type { ConsentRecord } from '../../kernel/tables.ts'
import type { Emit } from '../../webhooks/index.ts'
import { payloadOf } from '../payload.ts'
import { digestOf, newParticipantToken } from './admit-participant.ts'
import type { Quota } from './quota.ts'
import { findProject, type ProjectRow } from './read-portal.ts'
import { CHUNK_SECONDS, MAX_CHUNK_BYTES, type StartConversation } from './schema.ts'

export interface StartParts {
  db: Db
  emit: Emit
  quota: Quota
  publicUrl: string
}

type Wishes = z.output<typeof StartConversation>

/** A participant begins: nothing is recorded before their consent, where the project asks for it. */
export async function startConversation(
  { db, emit, quota, publicUrl }: StartParts,
  projectId: string | undefined,
  wishes: Wishes,
): Promise<Answer> {
  const { id: project_id } = await findProject(db, projectId)
  await quota.requireRoom(project_id)
  const token = newParticipantToken()
  const id = newId()
  await inTransaction(db, async (tx) => {
    const project = await lockOpenProject(tx, project_id)
    const row = await tx
      .insertInto('conversations')
      .values({
        id,
        project_id,
        status: 'recording',
        source: 'portal_audio',
        language: wishes.language ?? null,
        participant_name: wishes.participant_name ?? null,
        participant_email: wishes.participant_email ?? null,
        tags: wishes.tags,
        token_digest: digestOf(token),
        consent: consentTo(project, wishes),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await emit(tx, { type: 'conversation.started', projectId: project_id, conversation: payloadOf(row) })
  })
  return created(
    {
      id,
      token,
      project_id,
      chunk_seconds: CHUNK_SECONDS,
      max_chunk_bytes: MAX_CHUNK_BYTES,
      // Behind the #, so that it reaches no server's log.
      withdraw_url: `${publicUrl}/withdraw/${id}#${token}`,
    },
    `/api/participant/conversations/${id}`,
  )
}

/** Shared with other starts, and against being closed meanwhile: after that not one more begins. */
async function lockOpenProject(tx: Tx, id: string): Promise<ProjectRow> {
  const project = await tx
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!project) throw new Problem('not_found')
  if (!project.is_open) throw new Problem('closed')
  return project
}

function consentTo({ consent_text, language }: ProjectRow, wishes: Wishes): string | null {
  if (consent_text === null) return null
  if (wishes.consent !== true) throw new Problem('consent_required')
  const record: ConsentRecord = {
    text_sha256: hash('sha256', consent_text, 'hex'),
    language: wishes.language ?? language,
    at: new Date().toISOString(),
  }
  return JSON.stringify(record)
}
