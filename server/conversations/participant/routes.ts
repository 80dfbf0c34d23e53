import type { Readable } from 'node:stream'
import '../headers.ts'
import { keyIn } from '../../api/idempotency.ts'
import { invalidInput } from '../../api/problems.ts'
import type { Router } from '../../api/router.ts'
import { noBody } from '../../api/schema.ts'
import { type PutChunkParts, putChunk } from '../chunks/put-chunk.ts'
import { deleteConversation } from '../delete-conversation.ts'
import { addText } from './add-text.ts'
import { finish } from './finish.ts'
import { heartbeat } from './heartbeat.ts'
import { readChunkInput } from './read-chunk-input.ts'
import { findProject, readPortal } from './read-portal.ts'
import { readProgress } from './read-progress.ts'
import {
  ConversationProgress,
  FinishedConversation,
  FinishRequest,
  Heartbeat,
  NewText,
  Portal,
  ProgressQuery,
  StartConversation,
  StartedConversation,
  StoredChunk,
  StoredText,
} from './schema.ts'
import { startConversation } from './start-conversation.ts'

export interface ParticipantParts extends PutChunkParts {
  publicUrl: string
  chunkSeconds: number
}

const tag = 'Participants'
const project = '/api/participant/projects/:pid'
const conversation = '/api/participant/conversations/:cid'
const pathOf = (id: string): string => `/api/participant/conversations/${id}`
const open = { tag, access: { kind: 'public' } } as const
const participant = { tag, access: { kind: 'participant' } } as const

/** Without accounts, two phones that choose the same short key would get the same conversation. */
const MIN_KEY_LENGTH = 16

const AUDIO = {
  mediaTypes: ['audio/*'],
  required: true,
  description:
    'The bytes of the chunk: WebM, MP4, Ogg, WAV, MP3, FLAC, AIFF, CAF or another audio format, at most 25 MiB.',
}
const AUDIO_BODIES = {
  contentType: /^audio\//i,
  detail:
    'This route accepts only audio. Send Content-Type audio/webm, audio/mp4, audio/wav or another audio type.',
}

/** Recording without an account. */
export async function registerParticipant(router: Router, parts: ParticipantParts): Promise<void> {
  const { db, quota } = parts
  router.read({
    id: 'readPortal',
    summary: 'Read the texts and options that the recording page of a project shows',
    ...open,
    url: project,
    responses: { 200: Portal },
    read: ({ params }) => readPortal(parts, params['pid']),
  })
  router.change({
    id: 'startConversation',
    summary: 'Start a conversation',
    ...open,
    method: 'POST',
    url: `${project}/conversations`,
    body: StartConversation,
    responses: { 201: StartedConversation },
    problems: ['closed', 'consent_required', 'limit_reached', 'idempotency_key_reused'],
    prepare: async ({ params, headers, spend }) => {
      // Ids in upper and lower case count as the same project.
      await spend('startsPerProject', String(params['pid']).toLowerCase())
      requireLongKey(keyIn(headers))
      const { id } = await findProject(db, params['pid'])
      await quota.checkProject(id)
      return id
    },
    idempotency: ({ body }, id) => ({
      userId: `project ${id}`,
      path: `/api/participant/projects/${id}/conversations`,
      body,
    }),
    change: ({ body }, tx, id) => startConversation(parts, tx, id, body),
    location: ({ id }) => pathOf(id),
    etag: true,
  })
  await router.rawBodies(AUDIO_BODIES, (audioRouter) =>
    audioRouter.handle({
      id: 'uploadChunk',
      summary: 'Upload a chunk of audio; sending the same bytes again is safe',
      ...participant,
      method: 'PUT',
      url: `${conversation}/chunks/:seq`,
      body: AUDIO,
      responses: { 200: StoredChunk, 201: StoredChunk },
      problems: ['chunk_conflict', 'limit_reached', 'storage_full', 'storage_unavailable'],
      openapi: { requestHeaders: ['X-Recorded-At', 'Content-Digest'] },
      handle: ({ target, params, headers, request }) =>
        putChunk(parts, target, readChunkInput(params['seq'], headers), request.body as Readable | undefined),
      respond: ({ isNew, ...chunk }) => ({ status: isNew ? 201 : 200, headers: {}, body: chunk }),
    }),
  )
  router.change({
    id: 'addText',
    summary: 'Add a text entry',
    ...participant,
    method: 'POST',
    url: `${conversation}/text`,
    body: NewText,
    responses: { 201: StoredText },
    problems: ['limit_reached', 'idempotency_key_reused'],
    prepare: ({ target }) => quota.checkConversation(target),
    idempotency: ({ target, body }) => ({
      userId: `conversation ${target.id}`,
      path: pathOf(target.id),
      body: body.content,
    }),
    change: ({ target, body }, tx) => addText(parts, tx, target.id, body.content),
    location: (_text, { target }) => pathOf(target.id),
    etag: true,
  })
  router.handle({
    id: 'sendHeartbeat',
    summary: 'Keep a conversation open while recording is paused',
    ...participant,
    method: 'POST',
    url: `${conversation}/heartbeat`,
    body: Heartbeat,
    responses: { 204: null },
    handle: ({ target, body }) => heartbeat(db, target, body?.paused),
  })
  router.read({
    id: 'readConversationProgress',
    summary: 'Read the status, the received and missing chunks, and the transcript so far',
    ...participant,
    url: conversation,
    query: ProgressQuery,
    responses: { 200: ConversationProgress },
    read: ({ target, query }) => readProgress(db, target, query.tail),
  })
  router.change({
    id: 'finishConversation',
    summary: 'Finish a conversation; transcription and summary follow',
    ...participant,
    method: 'POST',
    url: `${conversation}/finish`,
    body: FinishRequest,
    responses: { 202: FinishedConversation },
    problems: ['chunks_missing'],
    change: ({ target, body }, tx) => finish(parts, tx, target.id, body ?? {}),
  })
  router.change({
    id: 'withdrawConversation',
    summary: 'Withdraw a conversation and erase its content',
    ...participant,
    method: 'DELETE',
    url: conversation,
    body: noBody,
    responses: { 204: null },
    change: async ({ target, principal, requestId }, tx) => {
      const deletion = { action: 'conversation.withdraw', principal, requestId } as const
      await deleteConversation(parts, tx, target.id, deletion)
    },
  })
}

function requireLongKey(key: string | undefined): void {
  const message = `must have at least ${MIN_KEY_LENGTH} random characters`
  if (key !== undefined && key.length < MIN_KEY_LENGTH)
    throw invalidInput({ path: 'Idempotency-Key', message })
}
