import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import type { ConsentRecord } from '../../../database/tables.ts'
import { newId } from '../../../platform/ids.ts'
import { Problem } from '../../api/problems.ts'
import { digestOf, newParticipantToken } from '../../auth/index.ts'
import { AUTO, versionOfConsent } from '../../tenancy/index.ts'
import type { Emit } from '../../webhooks/index.ts'
import { notFound } from '../find-conversation.ts'
import { requireOffered } from '../offered-language.ts'
import { payloadOf } from '../payload.ts'
import { formatCode } from '../short-code.ts'
import { type ProjectRow, projectById } from './read-portal.ts'
import { MAX_CHUNK_BYTES, type StartConversation, type StartedConversation } from './schema.ts'

type Input = z.output<typeof StartConversation>

/** Starts a conversation in an open project, with the participant's consent where the project has a consent text. */
export async function startConversation(
  { emit, publicUrl, chunkSeconds }: { emit: Emit; publicUrl: string; chunkSeconds: number },
  tx: Tx,
  project_id: string,
  input: Input,
): Promise<z.output<typeof StartedConversation>> {
  const token = newParticipantToken()
  // The shared lock lets other conversations start, but keeps the project from being closed before this one commits.
  const project = await projectById(tx, project_id).forShare().executeTakeFirstOrThrow(notFound)
  if (!project.is_open) throw new Problem('closed')
  requireOffered(project, input.language)
  const row = await tx
    .insertInto('conversations')
    .values({
      id: newId(),
      project_id,
      status: 'recording',
      source: 'portal_audio',
      language: input.language ?? null,
      participant_name: input.participant_name ?? null,
      participant_email: input.participant_email ?? null,
      tags: input.tags,
      token_digest: digestOf(token),
      consent: consentTo(project, input),
      chunk_seconds: chunkSeconds,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await emit(tx, { type: 'conversation.started', projectId: project_id, conversation: payloadOf(row) })
  return {
    id: row.id,
    token,
    project_id,
    chunk_seconds: chunkSeconds,
    max_chunk_bytes: MAX_CHUNK_BYTES,
    code: formatCode(row.code ?? ''),
    // Browsers do not send the part after the #, so the token is in no server log.
    withdraw_url: `${publicUrl}/p/${project_id}/withdraw?conversation=${row.id}#${token}`,
  }
}

function consentTo({ consent_text, language }: ProjectRow, input: Input): string | null {
  if (consent_text === null) return null
  if (input.consent !== true) throw new Problem('consent_required')
  const record: ConsentRecord = {
    text_sha256: versionOfConsent(consent_text),
    // `und` is the tag of an undetermined language.
    language: input.language ?? (language === AUTO ? 'und' : language),
    at: new Date().toISOString(),
  }
  return JSON.stringify(record)
}
