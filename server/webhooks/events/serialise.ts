import type { ConversationPayload, EventType, ReportPayload } from './payloads.ts'
import { TEST_TYPE } from './payloads.ts'

/** What happened, as the processing tells it. */
export type Occurrence =
  | {
      type: Exclude<EventType, 'report.generated'>
      projectId: string
      conversation: ConversationPayload
    }
  | { type: 'report.generated'; projectId: string; report: ReportPayload }

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
  const full = encode(occurrence, telling, shorten(occurrence, telling.publicUrl, TRANSCRIPT_LIMIT))
  return {
    full:
      full.length <= BODY_LIMIT ? full : encode(occurrence, telling, barest(occurrence, telling.publicUrl)),
    ids: encode(occurrence, telling, null),
  }
}

type Content = ConversationPayload | ReportPayload

const contentOf = (occurrence: Occurrence): Content =>
  occurrence.type === 'report.generated' ? occurrence.report : occurrence.conversation

/** The id of the conversation or report that the event is about. */
export const subjectOf = (occurrence: Occurrence): string => contentOf(occurrence).id

/** Null content: ids alone. */
function encode(occurrence: Occurrence, telling: Telling, content: Content | null): Buffer {
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

function shorten(occurrence: Occurrence, publicUrl: string, limit: number): Content {
  if (occurrence.type === 'report.generated') return occurrence.report
  const { transcript, ...rest } = occurrence.conversation
  if (transcript === undefined) return rest
  if (Buffer.byteLength(transcript) <= limit) return occurrence.conversation
  return {
    ...rest,
    transcript_truncated: true,
    transcript_url: `${publicUrl}/api/v2/conversations/${rest.id}/transcript?format=txt`,
  }
}

/** For what is still too large without its transcript: escapes can make six bytes of one. */
function barest(occurrence: Occurrence, publicUrl: string): Content {
  const content = shorten(occurrence, publicUrl, -1)
  if (!('summary' in content)) return content
  const { summary: _, ...rest } = content
  return { ...rest, summary_truncated: true }
}
