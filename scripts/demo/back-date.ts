import pg from 'pg'
import { rules } from '../../delivery/index.ts'
import { type Attempt, type Delivery, idAt, type MovedEvent, moveDelivery } from './moved-deliveries.ts'
import type { DemoState } from './state.ts'

/**
 * Moves conversations that were sent a moment ago, with their events and deliveries, into the last week. This is the only part
 * of the demo that writes to the database: the API cannot set such times. Everything else about them is as it happened, with these
 * exceptions, which belong to the history: deliveries that failed get the retries that they would have had by now, signatures are
 * computed again for the new times, and attempts are marked as made to a public address (as it is, the log hides what receivers in
 * the operator's own network respond). The audit log keeps the real times.
 */
export async function backDate(
  databaseUrl: string,
  moves: Map<string, Date>,
  webhooks: DemoState['webhooks'],
): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl, options: '-c search_path=parley' })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(
      `select add_partitions(day::date) from generate_series(now() - interval '9 days', now(), interval '1 day') day`,
    )
    const events = await moveEvents(client, await moveConversations(client, moves))
    const count = await moveDeliveries(client, events, webhooks)
    await client.query(SET_HEALTH)
    for (const statement of AGE_TENANTS) await client.query(statement)
    await client.query('commit')
    return count
  } finally {
    await client.end()
  }
}

const MINUTE_MS = 60_000

interface Times {
  started: Date
  /** How long after the old end the new one is. */
  finished: Date
  oldFinished: Date
}

/** People took three to six minutes. */
async function moveConversations(client: pg.Client, moves: Map<string, Date>): Promise<Map<string, Times>> {
  const times = new Map<string, Times>()
  const { rows } = await client.query<{ id: string; finished_at: string }>(
    'select id, finished_at from conversations where id = any($1)',
    [[...moves.keys()]],
  )
  for (const { id, finished_at } of rows) {
    const started = moves.get(id) as Date
    const minutes = 3 + (Number.parseInt(id.slice(-2), 16) % 180) / 60
    times.set(id, {
      started,
      finished: new Date(started.getTime() + minutes * MINUTE_MS),
      oldFinished: new Date(finished_at),
    })
  }
  const all = [...times]
  await client.query(
    `with moved as (select * from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::text[])
         m(id, started, finished, consent_at)),
       texts as (update text_entries t set written_at = m.finished from moved m where t.conversation_id = m.id)
     update conversations c set started_at = m.started, active_at = m.finished, finished_at = m.finished,
       consent = case when c.consent is not null then jsonb_set(c.consent, '{at}', to_jsonb(m.consent_at)) end
     from moved m where c.id = m.id`,
    [
      all.map(([id]) => id),
      all.map(([, { started }]) => started),
      all.map(([, { finished }]) => finished),
      all.map(([, { started }]) => started.toISOString()),
    ],
  )
  return times
}

async function moveEvents(client: pg.Client, times: Map<string, Times>): Promise<Map<string, MovedEvent>> {
  const { rows } = await client.query<{
    id: string
    type: string
    subject_id: string
    occurred_at: string
    full_body: string | null
    ids_body: string | null
  }>(
    `select id, type, subject_id, occurred_at, convert_from(full_body, 'UTF8') as full_body,
       convert_from(ids_body, 'UTF8') as ids_body
     from events where subject_id = any($1)`,
    [[...times.keys()]],
  )
  const moved = rows.map((row): MovedEvent => {
    const { started, finished, oldFinished } = times.get(row.subject_id) as Times
    const isStart = row.type === 'conversation.started'
    const at = isStart
      ? started
      : new Date(finished.getTime() + Date.parse(row.occurred_at) - oldFinished.getTime())
    const id = idAt(at, row.id)
    const redated = (body: string | null): string | null => {
      if (body === null) return null
      const event = JSON.parse(body)
      Object.assign(event, { id, timestamp: at.toISOString() })
      const { conversation } = event.data
      if (conversation) {
        conversation.started_at = started.toISOString()
        if (conversation.finished_at !== null) conversation.finished_at = finished.toISOString()
      }
      return JSON.stringify(event)
    }
    return { oldId: row.id, id, at, full_body: redated(row.full_body), ids_body: redated(row.ids_body) }
  })
  await client.query(
    `with moved as (
       select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[]) m(old_id, id, at, full_body, ids_body)
     ), keys as (update event_keys k set event_id = m.id from moved m where k.event_id = m.old_id)
     update events e set id = m.id, occurred_at = m.at, full_body = convert_to(m.full_body, 'UTF8'),
       ids_body = convert_to(m.ids_body, 'UTF8')
     from moved m where e.id = m.old_id`,
    [
      moved.map(({ oldId }) => oldId),
      moved.map(({ id }) => id),
      moved.map(({ at }) => at),
      moved.map(({ full_body }) => full_body),
      moved.map(({ ids_body }) => ids_body),
    ],
  )
  return new Map(moved.map((event) => [event.oldId, event]))
}

/** Rows as JSON, so that columns which do not change are copied. */
async function moveDeliveries(
  client: pg.Client,
  events: Map<string, MovedEvent>,
  webhooks: DemoState['webhooks'],
): Promise<number> {
  const secrets = new Map(Object.values(webhooks).map(({ id, secret }) => [id, secret]))
  const { rows } = await client.query<{ delivery: Delivery; attempts: Attempt[] }>(
    `select to_json(d) as delivery,
       coalesce((select json_agg(a order by a.number) from attempts a where a.delivery_id = d.id), '[]') as attempts
     from deliveries d where d.event_id = any($1)`,
    [[...events.keys()]],
  )
  const deliveries: Delivery[] = []
  const attempts: Attempt[] = []
  for (const row of rows) {
    const event = events.get(row.delivery.event_id) as MovedEvent
    const secret = secrets.get(row.delivery.webhook_id) ?? ''
    const moved = moveDelivery(row.delivery, row.attempts, event, secret)
    deliveries.push(moved.delivery)
    attempts.push(...moved.attempts)
  }
  await client.query('delete from attempts where delivery_id = any($1)', [
    rows.map(({ delivery }) => delivery.id),
  ])
  await client.query('delete from deliveries where event_id = any($1)', [[...events.keys()]])
  const insert = (table: string, added: object[]) =>
    client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(added),
    ])
  await insert('deliveries', deliveries)
  await insert('attempts', attempts)
  return deliveries.length
}

/** The health of each webhook, from its attempts. */
const SET_HEALTH = `
  with made as (
    select d.webhook_id, a.at, a.status, a.error,
      max(a.at) filter (where a.error is null) over (partition by d.webhook_id) as last_success
    from attempts a join deliveries d on d.id = a.delivery_id
  ), health as (
    select webhook_id, max(at) as last_attempt_at, max(last_success) as last_success_at,
      count(*) filter (where at > coalesce(last_success, '-infinity')) as failures,
      min(at) filter (where at > coalesce(last_success, '-infinity')) as failing_since
    from made group by webhook_id
  )
  update endpoint_queues q set last_attempt_at = h.last_attempt_at, last_success_at = h.last_success_at,
    consecutive_failures = h.failures, failures_since_success = h.failures, failing_since = h.failing_since,
    trial_at = case when h.failures >= ${rules.FAILURES_TO_OPEN} then now() + interval '5 minutes' end,
    failed_trials = case when h.failures >= ${rules.FAILURES_TO_OPEN} then 5 else 0 end
  from health h where h.webhook_id = q.webhook_id`

const AGE_TENANTS = [
  `update organisations set created_at = created_at - interval '21 days'`,
  `update workspaces set created_at = created_at - interval '20 days'`,
  `update organisation_members set created_at = created_at - interval '20 days'`,
  `update workspace_members set created_at = created_at - interval '20 days'`,
  `update projects set created_at = created_at - interval '12 days'`,
  `update webhooks w set created_at = created_at - interval '9 days', updated_at = updated_at - interval '9 days',
     disabled_at = case when disabled_at is not null then coalesce(
       (select max(a.at) from deliveries d join attempts a on a.delivery_id = d.id where d.webhook_id = w.id), disabled_at) end`,
]
