import type { ConversationPayload, EventType, FailedConversationPayload, ReportPayload } from './payloads.ts'
import { TEST_TYPE } from './payloads.ts'

/** What happened, and is sent to webhooks. */
export type WebhookOccurrence =
  | {
      type: Exclude<EventType, 'report.generated'>
      projectId: string
      conversation: ConversationPayload
    }
  | { type: 'report.generated'; projectId: string; report: ReportPayload }

/** What happened, as the processing tells it. */
export type Occurrence =
  | WebhookOccurrence
  | { type: 'conversation.failed'; projectId: string; conversation: FailedConversationPayload }
  | { type: 'conversation.erased'; projectId: string; conversationId: string }

/** Where it happened, and under which id it is told. */
export interface Telling {
  id: string
  timestamp: string
  organisationId: string
  workspaceId: string
  projectName: string
  publicUrl: string
  /** A test delivery says so, and carries sample data. */
  isTest?: boolean
}

/** The bytes of both kinds of payload. They are made once: what is stored is what is signed and sent, at every attempt. */
export interface Bodies {
  full: Buffer
  ids: Buffer
}

const TRANSCRIPT_LIMIT = 64 * 1024
const BODY_LIMIT = 256 * 1024

export function serialise(occurrence: Occurrence, telling: Telling): Bodies {
  if (occurrence.type === 'conversation.erased') {
    const ids = encodeErasure(occurrence, telling)
    return { full: ids, ids }
  }
  const ids = encode(occurrence, telling, null)
  for (const content of everShorter(occurrence, telling.publicUrl)) {
    const full = encode(occurrence, telling, content)
    if (full.length <= BODY_LIMIT) return { full, ids }
  }
  return { full: ids, ids }
}

type Content = ConversationPayload | FailedConversationPayload | ReportPayload
type Erasure = Extract<Occurrence, { type: 'conversation.erased' }>
/** An occurrence that carries contents. */
type Contentful = Exclude<Occurrence, Erasure>

const contentOf = (occurrence: Contentful): Content =>
  occurrence.type === 'report.generated' ? occurrence.report : occurrence.conversation

/** The id of the conversation or report that the event is about. */
export const subjectOf = (occurrence: Occurrence): string =>
  occurrence.type === 'conversation.erased' ? occurrence.conversationId : contentOf(occurrence).id

/** Ids alone, also no name and no link: there is nothing left to look at. */
function encodeErasure({ type, projectId, conversationId }: Erasure, telling: Telling): Buffer {
  const event = {
    id: telling.id,
    type,
    timestamp: telling.timestamp,
    version: 1,
    data: {
      organisation_id: telling.organisationId,
      workspace_id: telling.workspaceId,
      project_id: projectId,
      conversation_id: conversationId,
    },
  }
  return Buffer.from(JSON.stringify(event))
}

/** Null content: ids alone. */
function encode(occurrence: Contentful, telling: Telling, content: Content | null): Buffer {
  const kind = occurrence.type === 'report.generated' ? 'report' : 'conversation'
  const subject = subjectOf(occurrence)
  const event = {
    id: telling.id,
    type: telling.isTest ? TEST_TYPE : occurrence.type,
    timestamp: telling.timestamp,
    version: 1,
    data: {
      ...(telling.isTest ? { test_of: occurrence.type } : {}),
      organisation_id: telling.organisationId,
      workspace_id: telling.workspaceId,
      project_id: occurrence.projectId,
      ...(content ? { project_name: telling.projectName } : {}),
      [`${kind}_id`]: subject,
      ...(content ? { [kind]: content } : {}),
      dashboard_url: `${telling.publicUrl}/projects/${occurrence.projectId}/${kind}s/${subject}`,
    },
  }
  return Buffer.from(JSON.stringify(event))
}

/** What is too long is left out, the longest first: escapes can make six bytes of one, so that only the result tells. */
function* everShorter(occurrence: Contentful, publicUrl: string): Generator<Content> {
  if (occurrence.type === 'report.generated') {
    yield occurrence.report
    yield clip(occurrence.report)
    return
  }
  if (occurrence.type === 'conversation.failed') {
    yield occurrence.conversation
    yield clip(occurrence.conversation)
    return
  }
  const { conversation } = occurrence
  if (Buffer.byteLength(conversation.transcript ?? '') <= TRANSCRIPT_LIMIT) yield conversation
  const withoutTranscript = leaveTranscriptOut(conversation, publicUrl)
  yield withoutTranscript
  const withoutBoth = leaveSummaryOut(withoutTranscript)
  yield withoutBoth
  yield clip(withoutBoth)
}

function leaveTranscriptOut(
  { transcript, ...rest }: ConversationPayload,
  publicUrl: string,
): ConversationPayload {
  if (transcript === undefined) return rest
  return {
    ...rest,
    transcript_truncated: true,
    transcript_url: `${publicUrl}/api/v2/conversations/${rest.id}/transcript?format=txt`,
  }
}

function leaveSummaryOut({ summary, ...rest }: ConversationPayload): ConversationPayload {
  return summary === undefined ? rest : { ...rest, summary_truncated: true }
}

const CLIPPED_TO = 500

/** Names and tags that nobody would write by hand. */
function clip<C extends Content>(content: C): C {
  const entries = Object.entries(content).map(([key, value]) => [
    key,
    typeof value === 'string' && !key.endsWith('_url') ? value.slice(0, CLIPPED_TO).toWellFormed() : value,
  ])
  const clipped = Object.fromEntries(entries)
  return 'tags' in content
    ? { ...clipped, tags: content.tags.slice(0, 20).map((tag) => tag.slice(0, 100).toWellFormed()) }
    : clipped
}
