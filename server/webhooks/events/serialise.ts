import type { NewEvent } from '../../../delivery/index.ts'
import {
  type ConversationPayload,
  type EventType,
  type FailedConversationPayload,
  type ReportPayload,
  TEST_TYPE,
} from './payloads.ts'

export type WebhookEvent =
  | { type: Exclude<EventType, 'report.generated'>; projectId: string; conversation: ConversationPayload }
  | { type: 'report.generated'; projectId: string; report: ReportPayload }

/** Includes the events that only the feed has. */
export type DomainEvent =
  | WebhookEvent
  | { type: 'conversation.failed'; projectId: string; conversation: FailedConversationPayload }
  | { type: 'conversation.erased'; projectId: string; conversationId: string }

/** The id and time of an event, and its tenant. */
export interface EventEnvelope {
  id: string
  timestamp: string
  organisationId: string
  workspaceId: string
  projectName: string
  publicUrl: string
  /** Whether this is a test delivery, which has sample data. */
  isTest?: boolean
}

const TRANSCRIPT_LIMIT = 64 * 1024
const BODY_LIMIT = 256 * 1024

/** The event as it is stored. */
export function toNewEvent(event: DomainEvent, envelope: EventEnvelope): NewEvent {
  const { full: fullBody, ids: idsBody } = serialise(event, envelope)
  return {
    eventId: envelope.id,
    projectId: event.projectId,
    type: envelope.isTest ? TEST_TYPE : event.type,
    subjectId: subjectOf(event),
    occurredAt: envelope.timestamp,
    fullBody,
    idsBody,
  }
}

/** Both kinds of payload, serialised once: every attempt signs and sends the stored bytes. */
export function serialise(event: DomainEvent, envelope: EventEnvelope): { full: Buffer; ids: Buffer } {
  if (event.type === 'conversation.erased') {
    // Without a name or a link, because the content no longer exists.
    const ids = encodeData(event, envelope, { conversation_id: event.conversationId })
    return { full: ids, ids }
  }
  const ids = encode(event, envelope, null)
  for (const content of progressivelyShorter(event, envelope.publicUrl)) {
    const full = encode(event, envelope, content)
    if (full.length <= BODY_LIMIT) return { full, ids }
  }
  return { full: ids, ids }
}

type Content = ConversationPayload | FailedConversationPayload | ReportPayload
/** An event that has content. */
type Contentful = Exclude<DomainEvent, { type: 'conversation.erased' }>

const contentOf = (event: Contentful): Content =>
  event.type === 'report.generated' ? event.report : event.conversation

/** The id of the conversation or report that the event is about. */
export const subjectOf = (event: DomainEvent): string =>
  event.type === 'conversation.erased' ? event.conversationId : contentOf(event).id

/** Without content: ids only. */
function encode(event: Contentful, envelope: EventEnvelope, content: Content | null): Buffer {
  const kind = event.type === 'report.generated' ? 'report' : 'conversation'
  const subject = subjectOf(event)
  return encodeData(event, envelope, {
    ...(content ? { project_name: envelope.projectName } : {}),
    [`${kind}_id`]: subject,
    ...(content ? { [kind]: content } : {}),
    dashboard_url: `${envelope.publicUrl}/projects/${event.projectId}/${kind}s/${subject}`,
  })
}

function encodeData({ type, projectId }: DomainEvent, envelope: EventEnvelope, data: object): Buffer {
  const { id, timestamp, organisationId, workspaceId, isTest } = envelope
  const ids = { organisation_id: organisationId, workspace_id: workspaceId, project_id: projectId }
  const sent = {
    id,
    type: isTest ? TEST_TYPE : type,
    timestamp,
    version: 1,
    data: { ...(isTest ? { test_of: type } : {}), ...ids, ...data },
  }
  return Buffer.from(JSON.stringify(sent))
}

/** Omits long fields, the longest first. JSON escapes can turn one byte into six, so the caller measures the result. */
function* progressivelyShorter(event: Contentful, publicUrl: string): Generator<Content> {
  if (event.type === 'report.generated' || event.type === 'conversation.failed') {
    const content = contentOf(event)
    yield content
    yield clip(content)
    return
  }
  const { conversation } = event
  if (Buffer.byteLength(conversation.transcript ?? '') <= TRANSCRIPT_LIMIT) yield conversation
  const withoutTranscript = omitTranscript(conversation, publicUrl)
  yield withoutTranscript
  const withoutBoth = omitSummary(withoutTranscript)
  yield withoutBoth
  yield clip(withoutBoth)
}

function omitTranscript(
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

function omitSummary({ summary, ...rest }: ConversationPayload): ConversationPayload {
  return summary === undefined ? rest : { ...rest, summary_truncated: true }
}

const MAX_CLIPPED_LENGTH = 500

/** Cuts extremely long names and tags. */
function clip<C extends Content>(content: C): C {
  const entries = Object.entries(content).map(([key, value]) => [
    key,
    typeof value === 'string' && !key.endsWith('_url')
      ? value.slice(0, MAX_CLIPPED_LENGTH).toWellFormed()
      : value,
  ])
  const clipped = Object.fromEntries(entries)
  return 'tags' in content
    ? { ...clipped, tags: content.tags.slice(0, 20).map((tag) => tag.slice(0, 100).toWellFormed()) }
    : clipped
}
