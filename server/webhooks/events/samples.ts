import type { EventType } from './payloads.ts'
import type { WebhookEvent } from './serialise.ts'

/** The id and time of every example event in the documentation. */
export const SAMPLE_EVENT = {
  id: '01890a5d-ac96-774b-bcce-b302099a8059',
  timestamp: '2026-01-31T10:13:00.000Z',
}

/** No record has these ids. */
const SAMPLE_CONVERSATION = '01890a5d-ac96-774b-bcce-b302099a8057'
const SAMPLE_REPORT = '01890a5d-ac96-774b-bcce-b302099a8058'

const conversation = {
  id: SAMPLE_CONVERSATION,
  revision: 1,
  source: 'portal_audio' as const,
  language: 'en',
  participant_name: 'Ada',
  tags: ['north side'],
  started_at: '2026-01-31T10:00:00.000Z',
}

const finished = { finished_at: '2026-01-31T10:12:30.000Z', duration_seconds: 750 }
const transcript = 'I would like more trees on the market square. In summer there is no shade at all.'

/** A realistic event of each type, for test deliveries and documentation. */
export function sampleOf(type: EventType, projectId: string): WebhookEvent {
  switch (type) {
    case 'conversation.started':
      return {
        type,
        projectId,
        conversation: {
          ...conversation,
          status: 'recording',
          finished_at: null,
          duration_seconds: 0,
          title: null,
        },
      }
    case 'conversation.transcribed':
      return {
        type,
        projectId,
        conversation: { ...conversation, ...finished, status: 'summarizing', title: null, transcript },
      }
    case 'conversation.summarized':
      return {
        type,
        projectId,
        conversation: {
          ...conversation,
          ...finished,
          status: 'done',
          title: 'Shade on the market square',
          transcript,
          summary: 'Asks for trees on the market square, which has no shade in summer.',
        },
      }
    case 'report.generated':
      return {
        type,
        projectId,
        report: {
          id: SAMPLE_REPORT,
          title: 'What we heard',
          language: 'en',
          status: 'ready',
          created_at: '2026-02-01T09:00:00.000Z',
          conversation_count: 42,
        },
      }
  }
}
