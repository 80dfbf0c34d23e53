import type { z } from 'zod'
import { type Db, inTransaction, type Tx } from '../../../database/database.ts'
import type { ConsentRecord } from '../../../database/tables.ts'
import type { Keyring } from '../../../platform/encryption.ts'
import { newId } from '../../../platform/ids.ts'
import { once } from '../../api/idempotency.ts'
import { invalidInput, Problem } from '../../api/problems.ts'
import { type Answer, created } from '../../api/response.ts'
import { versionOfConsent } from '../../tenancy/index.ts'
import type { Emit } from '../../webhooks/index.ts'
import { requireOffered } from '../offered-language.ts'
import { payloadOf } from '../payload.ts'
import { digestOf, newParticipantToken } from './admit-participant.ts'
import type { Quota } from './quota.ts'
import { findProject, type ProjectRow } from './read-portal.ts'
import { CHUNK_SECONDS, MAX_CHUNK_BYTES, type StartConversation } from './schema.ts'

export interface StartParts {
  db: Db
  emit: Emit
  quota: Quota
  keyring: Keyring
  publicUrl: string
}

type Wishes = z.output<typeof StartConversation>

/** Nobody has an account here, so that a key which two phones may both think of would give one the other's conversation. */
const SHORTEST_KEY = 16

/** A participant begins: nothing is recorded before their consent, where the project asks for it. */
export async function startConversation(
  parts: StartParts,
  projectId: string | undefined,
  wishes: Wishes,
  key: string | undefined,
): Promise<Answer> {
  const { db, quota, keyring } = parts
  if (key !== undefined && key.length < SHORTEST_KEY)
    throw invalidInput({
      path: 'Idempotency-Key',
      message: `must have at least ${SHORTEST_KEY} characters, and be made by chance`,
    })
  const { id } = await findProject(db, projectId)
  await quota.requireRoom(id)
  const path = `/api/participant/projects/${id}/conversations`
  const request = { userId: `project ${id}`, key, method: 'POST', path, body: wishes }
  return inTransaction(db, (tx) => once(tx, keyring, request, () => begin(parts, tx, id, wishes)))
}

async function begin(
  { emit, publicUrl }: StartParts,
  tx: Tx,
  project_id: string,
  wishes: Wishes,
): Promise<Answer> {
  const token = newParticipantToken()
  const project = await lockOpenProject(tx, project_id)
  requireOffered(project, wishes.language)
  const row = await tx
    .insertInto('conversations')
    .values({
      id: newId(),
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
  return created(
    {
      id: row.id,
      token,
      project_id,
      chunk_seconds: CHUNK_SECONDS,
      max_chunk_bytes: MAX_CHUNK_BYTES,
      // Behind the #, so that it reaches no server's log.
      withdraw_url: `${publicUrl}/withdraw/${row.id}#${token}`,
    },
    `/api/participant/conversations/${row.id}`,
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
    text_sha256: versionOfConsent(consent_text),
    language: wishes.language ?? language,
    at: new Date().toISOString(),
  }
  return JSON.stringify(record)
}
