import { z } from 'zod'
import type { Db } from '../../database/database.ts'
import type { Notifications } from '../../database/notifications.ts'
import type { Logger } from '../../platform/log.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { fileResponse, rangeResponse } from '../api/files/file-response.ts'
import { pageOf } from '../api/pagination.ts'
import { Problem } from '../api/problems.ts'
import type { RouteContext } from '../api/route-spec.ts'
import type { Router } from '../api/router.ts'
import { id, noBody } from '../api/schema.ts'
import { deleteConversation } from './delete-conversation.ts'
import { findConversation } from './find-conversation.ts'
import type { Lifecycle } from './lifecycle/steps.ts'
import { listConversations } from './list-conversations.ts'
import type { ConversationRow } from './payload.ts'
import { readAudio } from './read-audio.ts'
import { readConversation, withoutConsentText } from './read-conversation.ts'
import { repeatStep } from './repeat-step.ts'
import {
  Conversation,
  ConversationInFull,
  ConversationPatch,
  ConversationQuery,
  Transcript,
  TranscriptQuery,
} from './schema.ts'
import { createConversationHub, streamConversations, streamQuery } from './stream-conversations.ts'
import { readTranscript } from './transcript/read-transcript.ts'
import { updateConversation } from './update-conversation.ts'

const tag = 'Conversations'
const one = '/api/v2/conversations/:cid'
const reading = { kind: 'project', capability: 'conversation:read', through: 'conversation' } as const
const updating = { kind: 'project', capability: 'conversation:update', through: 'conversation' } as const
const Repeated = z
  .object({ id, status: z.string(), revision: z.number().int() })
  .meta({ id: 'RestartedConversation' })

const find = ({ db, params }: RouteContext): Promise<ConversationRow> =>
  findConversation(db, params['cid'] ?? '')

export interface ConversationParts extends Lifecycle {
  db: Db
  log: Logger
  files: FileStore
  notifications: Notifications
}

/** Conversations, for hosts. */
export function registerConversations(router: Router, on: ConversationParts): void {
  const hub = createConversationHub(on.db, on.notifications, on.log)
  router.read({
    id: 'listConversations',
    summary: 'List or search the conversations of a project, newest first',
    tag,
    url: '/api/v2/projects/:pid/conversations',
    access: { kind: 'project', capability: 'conversation:read' },
    query: ConversationQuery,
    responses: { 200: pageOf(Conversation) },
    read: (context) => listConversations(context, context.query),
  })
  router.stream({
    id: 'streamConversations',
    summary: 'Stream the states of a project’s conversations; resumes after Last-Event-ID',
    tag,
    url: '/api/v2/projects/:pid/stream',
    access: { kind: 'project', capability: 'conversation:read' },
    query: streamQuery,
    responses: { 200: { 'text/event-stream': z.string() } },
    stream: (context, lastEventId) =>
      streamConversations(context, { since: context.query.since, lastEventId }, hub),
  })
  router.read({
    id: 'readConversation',
    summary: 'Read a conversation',
    tag,
    url: one,
    access: reading,
    responses: { 200: ConversationInFull },
    find,
    read: readConversation,
    etag: withoutConsentText,
  })
  router.change({
    id: 'updateConversation',
    summary: 'Change a conversation’s title, tags, name or language',
    tag,
    method: 'PATCH',
    url: one,
    access: updating,
    body: ConversationPatch,
    responses: { 200: Conversation },
    find,
    change: (context, _tx, _prepared, row) => updateConversation(context, row, context.body),
    etag: true,
  })
  router.change({
    id: 'deleteConversation',
    summary: 'Delete a conversation and erase all of its data',
    tag,
    method: 'DELETE',
    url: one,
    access: { kind: 'project', capability: 'conversation:delete', through: 'conversation' },
    body: noBody,
    responses: { 204: null },
    find,
    change: async ({ principal, requestId }, tx, _prepared, row) => {
      const deletion = { action: 'conversation.delete', principal, requestId } as const
      if (!(await deleteConversation(on, tx, row.id, deletion))) throw new Problem('not_found')
    },
  })
  router.read({
    id: 'readTranscript',
    summary: 'Read the transcript, as JSON or as a file',
    tag,
    url: `${one}/transcript`,
    access: reading,
    query: TranscriptQuery,
    responses: {
      200: {
        'application/json': Transcript,
        'text/plain': z.string(),
        'text/markdown': z.string(),
        'text/vtt': z.string(),
        'application/x-subrip': z.string(),
      },
    },
    find,
    read: (context, row) => readTranscript(context, row, context.query),
    respond: fileResponse,
  })
  router.read({
    id: 'readAudio',
    summary: 'Download the recording as one file; supports ranges',
    tag,
    url: `${one}/audio`,
    access: reading,
    responses: { 200: { 'audio/*': z.string() }, 206: { 'audio/*': z.string() } },
    problems: ['not_ready_yet', 'gone', 'range_not_satisfiable'],
    find,
    read: (context, row) => readAudio(context, row, on.files),
    respond: (file, { headers }) => rangeResponse(file, headers),
  })
  for (const [verb, step, summary] of REPEATS) {
    router.change({
      id: `${verb}Conversation`,
      summary,
      tag,
      method: 'POST',
      url: `${one}/${verb}`,
      access: updating,
      body: noBody,
      responses: { 202: Repeated },
      problems: ['conversation_in_progress'],
      find,
      change: (context, _tx, _prepared, row) => repeatStep(on, context, row, step),
    })
  }
}

const REPEATS = [
  ['retranscribe', 'transcribing', 'Transcribe a finished conversation again'],
  ['summarize', 'summarizing', 'Summarise a finished conversation again'],
] as const
