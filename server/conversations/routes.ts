import { z } from 'zod'
import type { Db } from '../../database/database.ts'
import type { Notifications } from '../../database/notifications.ts'
import type { Logger } from '../../platform/log.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { fileResponse, rangeResponse } from '../api/files/file-response.ts'
import { pageOf } from '../api/pagination.ts'
import { Problem } from '../api/problems.ts'
import type { Router } from '../api/router.ts'
import { id, noBody } from '../api/schema.ts'
import {
  oneConversation as one,
  reading,
  routeTo,
  conversationsTag as tag,
  updating,
} from './conversation-routes.ts'
import { deleteConversation } from './delete-conversation.ts'
import type { Lifecycle } from './lifecycle/steps.ts'
import { listConversations } from './list-conversations.ts'
import { readLiveRoom } from './live/read-live-room.ts'
import { LiveRoom } from './live/schema.ts'
import { createPeaksReader } from './peaks/read-peaks.ts'
import { Peaks } from './peaks/schema.ts'
import { readAudio } from './read-audio.ts'
import { readConversation, withoutConsentText } from './read-conversation.ts'
import { repeatStep } from './repeat-step.ts'
import {
  Conversation,
  ConversationInFull,
  ConversationPatch,
  ConversationQuery,
  ListedConversation,
  Transcript,
  TranscriptQuery,
} from './schema.ts'
import { registerSegments } from './segments/routes.ts'
import { createConversationHubs, streamConversations, streamQuery } from './stream-conversations.ts'
import { readTranscript } from './transcript/read-transcript.ts'
import { updateConversation } from './update-conversation.ts'

const Repeated = z
  .object({ id, status: z.string(), revision: z.number().int() })
  .meta({ id: 'RestartedConversation' })

export interface ConversationParts extends Lifecycle {
  db: Db
  log: Logger
  files: FileStore
  notifications: Notifications
}

/** Conversations, for hosts. */
export function registerConversations(router: Router, parts: ConversationParts): void {
  const hubs = createConversationHubs(parts.db, parts.notifications, parts.log)
  router.read({
    id: 'listConversations',
    summary: 'List or search the conversations of a project, newest first',
    tag,
    url: '/api/v2/projects/:pid/conversations',
    access: { kind: 'project', capability: 'conversation:read' },
    query: ConversationQuery,
    responses: { 200: pageOf(ListedConversation) },
    read: (context) => listConversations(context, context.query),
  })
  router.stream({
    id: 'streamConversations',
    summary:
      'Stream the states of a project’s conversations, and their text if requested; resumes after Last-Event-ID',
    tag,
    url: '/api/v2/projects/:pid/stream',
    access: { kind: 'project', capability: 'conversation:read' },
    query: streamQuery,
    responses: { 200: { 'text/event-stream': z.string() } },
    stream: (context, lastEventId) => streamConversations(context, { ...context.query, lastEventId }, hubs),
  })
  router.read({
    id: 'readLiveRoom',
    summary: 'List who is recording now or finished in the last ten minutes, with the latest text',
    tag,
    url: '/api/v2/projects/:pid/live',
    access: { kind: 'project', capability: 'conversation:read' },
    responses: { 200: LiveRoom },
    read: readLiveRoom,
  })
  router.read({
    id: 'readConversation',
    summary: 'Read a conversation',
    ...reading,
    url: one,
    responses: { 200: ConversationInFull },
    read: readConversation,
    etag: withoutConsentText,
  })
  router.change({
    id: 'updateConversation',
    summary: 'Change a conversation’s title, tags, name or language',
    ...updating,
    method: 'PATCH',
    url: one,
    body: ConversationPatch,
    responses: { 200: Conversation },
    change: (context, _tx, _prepared, row) => updateConversation(context, row, context.body),
    etag: true,
  })
  router.change({
    id: 'deleteConversation',
    summary: 'Delete a conversation and erase its content',
    ...routeTo('delete'),
    method: 'DELETE',
    url: one,
    body: noBody,
    responses: { 204: null },
    change: async ({ principal, requestId }, tx, _prepared, row) => {
      const deletion = { action: 'conversation.delete', principal, requestId } as const
      if (!(await deleteConversation(parts, tx, row.id, deletion))) throw new Problem('not_found')
    },
  })
  router.read({
    id: 'readTranscript',
    summary: 'Read the transcript, as JSON or as a file',
    ...reading,
    url: `${one}/transcript`,
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
    read: (context, row) => readTranscript(context, row, context.query),
    respond: fileResponse,
  })
  router.read({
    id: 'readAudio',
    summary: 'Download the recording as one file; supports ranges',
    ...reading,
    url: `${one}/audio`,
    responses: { 200: { 'audio/*': z.string() }, 206: { 'audio/*': z.string() } },
    problems: ['not_ready_yet', 'gone', 'range_not_satisfiable', 'storage_unavailable'],
    read: (context, row) => readAudio(context, row, parts.files),
    respond: (file, { headers }) => rangeResponse(file, headers),
  })
  router.read({
    id: 'readPeaks',
    summary: 'Read the loudness of the recording over time, to draw a waveform',
    ...reading,
    url: `${one}/peaks`,
    responses: { 200: Peaks },
    problems: ['not_ready_yet', 'gone', 'storage_unavailable'],
    read: createPeaksReader(parts),
  })
  for (const [verb, step, summary] of [
    ['retranscribe', 'transcribing', 'Transcribe a finished conversation again'],
    ['summarize', 'summarizing', 'Summarise a finished conversation again'],
  ] as const)
    router.change({
      id: `${verb}Conversation`,
      summary,
      ...updating,
      method: 'POST',
      url: `${one}/${verb}`,
      body: noBody,
      responses: { 202: Repeated },
      problems: ['conversation_in_progress'],
      change: (context, _tx, _prepared, row) => repeatStep(parts, context, row, step),
    })
  registerSegments(router)
}
