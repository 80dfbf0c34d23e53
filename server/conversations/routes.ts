import { z } from 'zod'
import type { Db } from '../../database/database.ts'
import type { WakeUps } from '../../database/notifications.ts'
import type { Logger } from '../../platform/log.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { pageOf } from '../api/pagination.ts'
import { Problem } from '../api/problems.ts'
import { noContent } from '../api/response.ts'
import { id, noBody } from '../api/schema.ts'
import type { Router } from '../auth/index.ts'
import { deleteConversation } from './delete-conversation.ts'
import { findConversation } from './find-conversation.ts'
import type { Lifecycle } from './lifecycle/steps.ts'
import { listConversations } from './list-conversations.ts'
import { readAudio } from './read-audio.ts'
import { readConversation } from './read-conversation.ts'
import { readTranscript } from './read-transcript.ts'
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
import { updateConversation } from './update-conversation.ts'

const tag = 'Conversations'
const one = '/api/v2/conversations/:cid'
const reading = { kind: 'project', capability: 'conversation:read', through: 'conversation' } as const
const updating = { kind: 'project', capability: 'conversation:update', through: 'conversation' } as const
const Repeated = z
  .object({ id, status: z.string(), revision: z.number().int() })
  .meta({ id: 'RestartedConversation' })

export interface ConversationParts extends Lifecycle {
  db: Db
  log: Logger
  files: FileStore
  wakeUps: WakeUps
}

/** Conversations, for those who host them. */
export function registerConversations(router: Router, on: ConversationParts): void {
  const hub = createConversationHub(on.db, on.wakeUps, on.log)
  router.read({
    id: 'listConversations',
    summary: 'The conversations of a project, newest first, by state, tag, time and words',
    tag,
    url: '/api/v2/projects/:pid/conversations',
    access: { kind: 'project', capability: 'conversation:read' },
    query: ConversationQuery,
    answers: { 200: pageOf(Conversation) },
    read: listConversations,
  })
  router.stream({
    id: 'streamConversations',
    summary: 'The states of a project’s conversations, live; resumes after Last-Event-ID',
    tag,
    url: '/api/v2/projects/:pid/stream',
    access: { kind: 'project', capability: 'conversation:read' },
    query: streamQuery,
    answers: { 200: { 'text/event-stream': z.string() } },
    stream: (context, lastEventId) => streamConversations(context, lastEventId, hub),
  })
  router.read({
    id: 'readConversation',
    summary: 'One conversation',
    tag,
    url: one,
    access: reading,
    answers: { 200: ConversationInFull },
    find: findConversation,
    read: readConversation,
  })
  router.change({
    id: 'updateConversation',
    summary: 'Change a conversation’s title, tags, name or language',
    tag,
    method: 'PATCH',
    url: one,
    access: updating,
    body: ConversationPatch,
    answers: { 200: Conversation },
    find: findConversation,
    change: (context, tx, _, row) => updateConversation(context, tx, row),
  })
  router.change({
    id: 'deleteConversation',
    summary: 'Delete a conversation: everything of it is erased',
    tag,
    method: 'DELETE',
    url: one,
    access: { kind: 'project', capability: 'conversation:delete', through: 'conversation' },
    body: noBody,
    answers: { 204: null },
    find: findConversation,
    change: async ({ principal, requestId }, tx, _, row) => {
      const deletion = { action: 'conversation.delete', principal, requestId } as const
      if (!(await deleteConversation(on, tx, row.id, deletion))) throw new Problem('not_found')
      return noContent()
    },
  })
  router.read({
    id: 'readTranscript',
    summary: 'The transcript as a file',
    tag,
    url: `${one}/transcript`,
    access: reading,
    query: TranscriptQuery,
    answers: {
      200: {
        'application/json': Transcript,
        'text/plain': z.string(),
        'text/markdown': z.string(),
        'text/vtt': z.string(),
        'application/x-subrip': z.string(),
      },
    },
    find: findConversation,
    read: readTranscript,
  })
  router.read({
    id: 'readAudio',
    summary: 'The recording as one file, whole or by ranges',
    tag,
    url: `${one}/audio`,
    access: reading,
    answers: { 200: { 'audio/*': z.string() }, 206: { 'audio/*': z.string() } },
    problems: ['not_ready_yet', 'gone', 'range_not_satisfiable'],
    find: findConversation,
    read: (context, row) => readAudio(context, row, on.files),
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
      answers: { 202: Repeated },
      problems: ['conversation_in_progress'],
      find: findConversation,
      change: (context, tx, _, row) => repeatStep(on, context, tx, row, step),
    })
  }
}

const REPEATS = [
  ['retranscribe', 'transcribing', 'Hear a finished conversation again'],
  ['summarize', 'summarizing', 'Summarise a finished conversation again'],
] as const
