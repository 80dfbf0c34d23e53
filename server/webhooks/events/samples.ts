import type { ConversationPayload, EventType, ReportPayload } from './payloads.ts'
import type { WebhookEvent } from './serialise.ts'

/** The id and time of every example event in the documentation. */
export const SAMPLE_EVENT = {
  id: '01890a5d-ac96-774b-bcce-b302099a8059',
  timestamp: '2026-01-31T10:13:00.000Z',
}

/** No record has the ids of these records. */
const conversation: ConversationPayload = {
  id: '01890a5d-ac96-774b-bcce-b302099a8057',
  revision: 1,
  status: 'recording',
  source: 'portal_audio',
  language: 'en',
  participant_name: 'Ada',
  tags: ['north side'],
  started_at: '2026-01-31T10:00:00.000Z',
  finished_at: '2026-01-31T10:12:30.000Z',
  duration_seconds: 750,
  title: null,
}
const transcript = 'I would like more trees on the market square. In summer there is no shade at all.'

const CONVERSATIONS: Record<Exclude<EventType, 'report.generated'>, Partial<ConversationPayload>> = {
  'conversation.started': { finished_at: null, duration_seconds: 0 },
  'conversation.transcribed': { status: 'summarizing', transcript },
  'conversation.summarized': {
    status: 'done',
    title: 'Shade on the market square',
    transcript,
    summary: 'Asks for trees on the market square, which has no shade in summer.',
  },
}

const report: ReportPayload = {
  id: '01890a5d-ac96-774b-bcce-b302099a8058',
  title: 'What we heard',
  language: 'en',
  status: 'ready',
  created_at: '2026-02-01T09:00:00.000Z',
  conversation_count: 42,
}

/** A realistic event of each type, for test deliveries and documentation. */
export const sampleOf = (type: EventType, projectId: string): WebhookEvent =>
  type === 'report.generated'
    ? { type, projectId, report }
    : { type, projectId, conversation: { ...conversation, ...CONVERSATIONS[type] } }
