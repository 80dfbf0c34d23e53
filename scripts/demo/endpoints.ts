/** A webhook of the demo, and how the receiver responds to it. */
export interface Endpoint {
  /** The last part of its URL. */
  slug: string
  name: string
  project: 'harbour' | 'hospital' | 'school'
  events: string[]
  payload: 'full' | 'ids'
  /** The response to an event whose signature is right. `day` counts down from 7 to 0, which is today. */
  respond(day: number, language: string | null): EndpointResponse
  /** Switched off by the host before the events of this day. */
  disabledOnDay?: number
}

interface EndpointResponse {
  status: number
  body?: object
}

const ACCEPTED: EndpointResponse = { status: 204 }
const STARTED = 'conversation.started'
const TRANSCRIBED = 'conversation.transcribed'
const SUMMARIZED = 'conversation.summarized'
const REPORTED = 'report.generated'

/** One for each state that an integrator meets. */
export const ENDPOINTS: Endpoint[] = [
  {
    slug: 'old-archive',
    name: 'Old archive',
    project: 'harbour',
    events: [SUMMARIZED, REPORTED],
    payload: 'full',
    // Status 410 disables a webhook; what follows is missed and can be replayed.
    respond: (day) =>
      day > 3 ? ACCEPTED : { status: 410, body: { error: 'The archive has moved to another system.' } },
  },
  {
    slug: 'translation-desk',
    name: 'Translation desk',
    project: 'harbour',
    events: [TRANSCRIBED],
    payload: 'full',
    respond: (_day, language) =>
      language === 'pl' ? { status: 422, body: { error: 'Unknown language', language: 'pl' } } : ACCEPTED,
  },
  {
    slug: 'planning-department',
    name: 'Planning department',
    project: 'harbour',
    events: [SUMMARIZED, REPORTED],
    payload: 'full',
    respond: (day) =>
      day > 1 ? ACCEPTED : { status: 503, body: { error: 'The database of the department is read-only.' } },
  },
  {
    slug: 'neighbourhood-map',
    name: 'Neighbourhood map',
    project: 'harbour',
    events: [STARTED, TRANSCRIBED, SUMMARIZED, REPORTED],
    payload: 'full',
    respond: () => ACCEPTED,
  },
  {
    slug: 'incident-register',
    name: 'Incident register',
    project: 'hospital',
    events: [SUMMARIZED, REPORTED],
    payload: 'ids',
    respond: () => ({ status: 202, body: { accepted: true } }),
  },
  {
    slug: 'timetable-prototype',
    name: 'Timetable prototype',
    project: 'school',
    events: [SUMMARIZED],
    payload: 'full',
    respond: () => ACCEPTED,
    disabledOnDay: 3,
  },
]
