import type { ConversationPayload, EventType, FailedConversationPayload, ReportPayload } from './payloads.ts'
import { TEST_TYPE } from './payloads.ts'

/** What happened, and is sent to webhooks. */
export type WebhookEvent =
  | {
      type: Exclude<EventType, 'report.generated'>
      projectId: string
      conversation: ConversationPayload
    }
  | { type: 'report.generated'; projectId: string; report: ReportPayload }

/** What happened, as the processing tells it. */
export type DomainEvent =
  | WebhookEvent
  | { type: 'conversation.failed'; projectId: string; conversation: FailedConversationPayload }
  | { type: 'conversation.erased'; projectId: string; conversationId: string }

/** Where it happened, and under which id it is told. */
export interface EventEnvelope {
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

export function serialise(domainEvent: DomainEvent, envelope: EventEnvelope): Bodies {
  if (domainEvent.type === 'conversation.erased') {
    const ids = encodeErasure(domainEvent, envelope)
    return { full: ids, ids }
  }
  const ids = encode(domainEvent, envelope, null)
  for (const content of everShorter(domainEvent, envelope.publicUrl)) {
    const full = encode(domainEvent, envelope, content)
    if (full.length <= BODY_LIMIT) return { full, ids }
  }
  return { full: ids, ids }
}

type Content = ConversationPayload | FailedConversationPayload | ReportPayload
type Erasure = Extract<DomainEvent, { type: 'conversation.erased' }>
/** An domainEvent that carries contents. */
type Contentful = Exclude<DomainEvent, Erasure>

const contentOf = (domainEvent: Contentful): Content =>
  domainEvent.type === 'report.generated' ? domainEvent.report : domainEvent.conversation

/** The id of the conversation or report that the event is about. */
export const subjectOf = (domainEvent: DomainEvent): string =>
  domainEvent.type === 'conversation.erased' ? domainEvent.conversationId : contentOf(domainEvent).id

/** Ids alone, also no name and no link: there is nothing left to look at. */
function encodeErasure({ type, projectId, conversationId }: Erasure, envelope: EventEnvelope): Buffer {
  const event = {
    id: envelope.id,
    type,
    timestamp: envelope.timestamp,
    version: 1,
    data: {
      organisation_id: envelope.organisationId,
      workspace_id: envelope.workspaceId,
      project_id: projectId,
      conversation_id: conversationId,
    },
  }
  return Buffer.from(JSON.stringify(event))
}

/** Null content: ids alone. */
function encode(domainEvent: Contentful, envelope: EventEnvelope, content: Content | null): Buffer {
  const kind = domainEvent.type === 'report.generated' ? 'report' : 'conversation'
  const subject = subjectOf(domainEvent)
  const event = {
    id: envelope.id,
    type: envelope.isTest ? TEST_TYPE : domainEvent.type,
    timestamp: envelope.timestamp,
    version: 1,
    data: {
      ...(envelope.isTest ? { test_of: domainEvent.type } : {}),
      organisation_id: envelope.organisationId,
      workspace_id: envelope.workspaceId,
      project_id: domainEvent.projectId,
      ...(content ? { project_name: envelope.projectName } : {}),
      [`${kind}_id`]: subject,
      ...(content ? { [kind]: content } : {}),
      dashboard_url: `${envelope.publicUrl}/projects/${domainEvent.projectId}/${kind}s/${subject}`,
    },
  }
  return Buffer.from(JSON.stringify(event))
}

/** What is too long is left out, the longest first: escapes can make six bytes of one, so that only the result tells. */
function* everShorter(domainEvent: Contentful, publicUrl: string): Generator<Content> {
  if (domainEvent.type === 'report.generated') {
    yield domainEvent.report
    yield clip(domainEvent.report)
    return
  }
  if (domainEvent.type === 'conversation.failed') {
    yield domainEvent.conversation
    yield clip(domainEvent.conversation)
    return
  }
  const { conversation } = domainEvent
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
