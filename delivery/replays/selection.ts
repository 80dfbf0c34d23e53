/** `undelivered` is both failed and missed. */
export type ReplaySelection = 'failed' | 'missed' | 'undelivered' | 'all'

/** The parameters of both selections. */
export interface Replayed {
  webhookId: string
  projectId: string
  statuses: string[]
  events: string[]
  since: string
  until: string
}

export const statusesOf = (selection: ReplaySelection): string[] =>
  selection === 'undelivered' ? ['failed', 'missed'] : [selection]

const within = (column: string): string =>
  `${column} >= :since::timestamptz and ${column} < :until::timestamptz`

const ALL_EVENTS = `
  select e.id as position, e.id as event_id, null::uuid as delivery_id, e.type as event_type, e.occurred_at as event_at
  from events e
  where e.project_id = :projectId and e.type = any(:events::text[]) and ${within('e.occurred_at')}
    and e.full_body is not null and e.id >= uuid_floor(:since::timestamptz - interval '1 day')`

const UNDELIVERED = `
  select d.id as position, d.event_id, d.id as delivery_id, d.event_type, d.event_at
  from deliveries d
  join events e on e.id = d.event_id and e.full_body is not null
  where d.webhook_id = :webhookId and d.status = any(:statuses::text[]) and d.superseded_by is null
    and d.event_type = any(:events::text[]) and ${within('d.event_at')}`

/** Builds a statement for each kind of replay: of all events, or of deliveries that no later one has replaced. */
export function forEachSelection<S>(build: (selection: 'all' | 'undelivered', rows: string) => S) {
  const statements = { all: build('all', ALL_EVENTS), undelivered: build('undelivered', UNDELIVERED) }
  return (selection: ReplaySelection): S => statements[selection === 'all' ? 'all' : 'undelivered']
}
