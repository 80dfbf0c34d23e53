import type { Readable } from 'node:stream'
import { inTransaction } from '../../../database/database.ts'
import { keyIn } from '../../api/idempotency.ts'
import { noContent } from '../../api/response.ts'
import { noBody } from '../../api/schema.ts'
import { byParticipant, deleteConversation } from '../delete-conversation.ts'
import { addText } from './add-text.ts'
import { finish } from './finish.ts'
import { heartbeat } from './heartbeat.ts'
import type { ParticipantLimits, ParticipantRoutes } from './participant-routes.ts'
import { type PutChunkParts, putChunk } from './put-chunk.ts'
import { readPortal } from './read-portal.ts'
import { readProgress } from './read-progress.ts'
import {
  ConversationProgress,
  FinishAnswer,
  FinishRequest,
  NewText,
  Portal,
  StartConversation,
  StartedConversation,
  StoredChunk,
  StoredText,
} from './schema.ts'
import { type StartParts, startConversation } from './start-conversation.ts'

export interface ParticipantParts extends PutChunkParts, StartParts {
  limits: ParticipantLimits | null
}

const project = '/projects/:pid'
const conversation = '/conversations/:cid'

/** Recording without an account. */
export function registerParticipant(routes: ParticipantRoutes, parts: ParticipantParts): void {
  const { db, limits } = parts
  routes.open({
    id: 'readPortal',
    summary: 'What the recording page of a project shows',
    method: 'GET',
    url: project,
    answers: { 200: Portal },
    handle: ({ params }) => readPortal(db, params['pid']),
  })
  routes.open({
    id: 'startConversation',
    summary: 'Start a conversation',
    method: 'POST',
    url: `${project}/conversations`,
    body: StartConversation,
    answers: { 201: StartedConversation },
    problems: ['closed', 'consent_required', 'limit_reached', 'idempotency_key_reused'],
    handle: async ({ params, body, headers, spend }) => {
      // In small letters, as its id is: spelt otherwise it would be another one's.
      spend(limits?.startsPerProject, String(params['pid']).toLowerCase())
      return startConversation(parts, params['pid'], body, keyIn(headers))
    },
  })
  routes.ofConversation({
    id: 'uploadChunk',
    summary: 'Upload a chunk of audio; sending the same bytes again is safe',
    method: 'PUT',
    url: `${conversation}/chunks/:seq`,
    takesAudio: true,
    answers: { 200: StoredChunk, 201: StoredChunk },
    headers: ['X-Recorded-At', 'Content-Digest'],
    problems: ['chunk_conflict', 'limit_reached', 'storage_full'],
    handle: ({ params, headers, body }, row) =>
      putChunk(parts, row, params['seq'], headers, body as Readable | undefined),
  })
  routes.ofConversation({
    id: 'addText',
    summary: 'Add a text entry',
    method: 'POST',
    url: `${conversation}/text`,
    body: NewText,
    answers: { 201: StoredText },
    problems: ['limit_reached', 'idempotency_key_reused'],
    handle: ({ body, headers }, row) => addText(parts, row, body.content, keyIn(headers)),
  })
  routes.ofConversation({
    id: 'sendHeartbeat',
    summary: 'Keep a conversation open while nothing is being recorded',
    method: 'POST',
    url: `${conversation}/heartbeat`,
    body: noBody,
    answers: { 204: null },
    handle: (_, row) => heartbeat(db, row),
  })
  routes.ofConversation({
    id: 'readConversationProgress',
    summary: 'Which chunks have arrived, which are missing, and the transcript so far',
    method: 'GET',
    url: conversation,
    answers: { 200: ConversationProgress },
    handle: (_, row) => readProgress(db, row),
  })
  routes.ofConversation({
    id: 'finishConversation',
    summary: 'Finish a conversation; transcription and summary follow',
    method: 'POST',
    url: `${conversation}/finish`,
    body: FinishRequest,
    answers: { 202: FinishAnswer },
    problems: ['chunks_missing'],
    handle: ({ body }, row) => finish(parts, row, body?.chunks),
  })
  routes.ofConversation({
    id: 'withdrawConversation',
    summary: 'Withdraw a conversation: all of it is erased',
    method: 'DELETE',
    url: conversation,
    body: noBody,
    answers: { 204: null },
    handle: async ({ requestId }, row) => {
      await inTransaction(db, (tx) => deleteConversation(parts, tx, row.id, byParticipant(requestId)))
      return noContent()
    },
  })
}
