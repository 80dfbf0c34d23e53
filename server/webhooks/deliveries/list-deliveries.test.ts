import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Reply, startBackend } from '../../../test/support/backend.ts'
import {
  assertRefused,
  conversationStarted,
  EVERY_EVENT,
  emitNow,
  newEventOf,
  newWebhook,
  newWebhookTenant,
  PUBLIC,
  webhooksOf,
} from '../../../test/support/webhooks.ts'
import type { EventType } from '../events/payloads.ts'

const STATES = ['succeeded', 'failed', 'missed', 'cancelled', 'pending']

/** Without a dispatcher, so that the log does not change. */
const backend = await startBackend()
const tenant = await newWebhookTenant(backend)
const query = (text: string, values: unknown[]) => backend.database.pool.query(text, values)
const webhook = await newWebhook(tenant, { url: PUBLIC })
await newWebhook(tenant, { url: PUBLIC, name: 'another webhook' })
const log = `${webhooksOf(tenant)}/${webhook.id}/deliveries`
for (let made = 0; made < 10; made++) {
  await emitNow(backend, newEventOf(EVERY_EVENT[made % 4] as EventType, tenant.project))
  // The filters have millisecond precision.
  await pause(3)
}
const all = (await tenant.owner.get(log)).body.data.toReversed()
for (const [index, { id }] of all.entries()) {
  const state = STATES[index % STATES.length]
  await query(`update deliveries set status = $2 where id = $1`, [id, state])
}
/** Oldest first. */
const rows: Reply['body'][] = (await tenant.owner.get(log)).body.data.toReversed()
/** For the filters by event, conversation and report. */
const second = await newWebhookTenant(backend)
const conversation = randomUUID()
const report = randomUUID()
/** Started, transcribed and summarized of the conversation, then the report, then another conversation. */
const events: string[] = []

/** Two webhooks and one that was deleted, each with a delivery of every event. */
const webhooks: string[] = []
for (let made = 0; made < 3; made++) webhooks.push((await newWebhook(second, { url: PUBLIC })).id)
for (const type of ['started', 'transcribed', 'summarized'] as const)
  events.push(
    await emitNow(backend, newEventOf(`conversation.${type}`, second.project, { id: conversation })),
  )
events.push(await emitNow(backend, newEventOf('report.generated', second.project, { id: report })))
events.push(await emitNow(backend, newEventOf('conversation.started', second.project)))
await second.owner.send('DELETE', `${webhooksOf(second)}/${webhooks.pop()}`)
after(() => backend.stop())

const ofWebhook = (id: string) => `${webhooksOf(second)}/${id}/deliveries`
const ofProject = () => `/api/v2/projects/${second.project}/deliveries`

const eventsOf = (rows: Reply['body'][]): string[] => [...new Set(rows.map(({ event_id }) => event_id))]
async function listedAt(path: string, filter = ''): Promise<Reply['body'][]> {
  const reply = await (path === log ? tenant : second).owner.get(`${path}?${filter}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.data
}
const idsOf = (list: Reply['body'][]): string[] => list.map(({ id }) => id)
const listed = async (filter: string) => idsOf(await listedAt(log, filter))

test('a listed delivery has its event, times, status and number of attempts', () => {
  assert.equal(rows.length, 10)
  const { id, webhook_id, event_id, event_at, created_at, ...rest } = rows[4]
  for (const uuid of [id, webhook_id, event_id]) assert.match(uuid, /^[0-9a-f-]{36}$/)
  for (const at of [event_at, created_at]) assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(rest, {
    event: 'conversation.started',
    kind: 'event',
    payload_kind: 'full',
    status: 'pending',
    attempts: 0,
    next_attempt_at: event_at,
    finished_at: null,
    last_status: null,
    last_error: null,
    replay_id: null,
  })
})

for (const status of STATES) {
  test(`status=${status} lists only those, newest first`, async () => {
    const expected = rows.filter((row) => row.status === status)
    assert.equal(expected.length, 2)
    assert.deepEqual(await listed(`status=${status}`), idsOf(expected).toReversed())
  })
}

for (const event of [...EVERY_EVENT, 'webhook.test']) {
  test(`event=${event} lists only those`, async () => {
    const expected = rows.filter((row) => row.event === event)
    assert.deepEqual(await listed(`event=${event}`), idsOf(expected).toReversed())
  })
}

test('since is inclusive, until is exclusive, and filters combine', async () => {
  const newest = idsOf(rows).toReversed()
  const at = (index: number) => encodeURIComponent(rows[index].created_at)
  assert.deepEqual(await listed(`since=${at(4)}`), newest.slice(0, 6))
  assert.deepEqual(await listed(`until=${at(4)}`), newest.slice(6))
  assert.deepEqual(await listed(`since=${at(2)}&until=${at(7)}`), newest.slice(3, 8))
  const inAnotherZone = new Date(Date.parse(rows[4].created_at) + 7_200_000)
    .toISOString()
    .replace('Z', '+02:00')
  assert.deepEqual(await listed(`since=${encodeURIComponent(inAnotherZone)}`), newest.slice(0, 6))
  const { event, status } = rows[4]
  assert.deepEqual(await listed(`since=${at(4)}&until=${at(5)}&event=${event}&status=${status}`), [
    rows[4].id,
  ])
  assert.deepEqual(await listed(`since=${at(5)}&until=${at(4)}`), [])
})

for (const [since, until] of [
  ['1970-01-01T00:00:00Z', '9999-12-31T00:00:00Z'],
  ['1969-12-31T23:59:59Z', '2100-01-01T00:00:00Z'],
  ['0001-01-01T00:00:00Z', '2100-01-01T00:00:00Z'],
]) {
  test(`from ${since} to ${until} lists everything, and before ${since} nothing`, async () => {
    assert.deepEqual(await listed(`since=${since}&until=${until}`), idsOf(rows).toReversed())
    assert.deepEqual(await listed(`until=${since}`), [])
    assert.deepEqual(await listed(`since=${until}`), [])
  })
}

async function pagesOf(
  limit: number,
  between: () => Promise<unknown> = async () => {},
  filter = '',
): Promise<string[]> {
  const seen: string[] = []
  for (let cursor: string | null = '', pages = 0; cursor !== null && pages < 20; pages++) {
    const after: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { body }: Reply = await tenant.owner.get(`${log}?limit=${limit}${after}${filter}`)
    assert.ok(body.data.length <= limit)
    seen.push(...idsOf(body.data))
    cursor = body.next_cursor
    await between()
  }
  return seen
}

for (let limit = 1; limit <= 11; limit++) {
  test(`pages of ${limit} are complete, without repeats and newest first`, async () => {
    assert.deepEqual(await pagesOf(limit), idsOf(rows).toReversed())
  })
}

test('pages keep their filters', async () => {
  const failed = rows.filter(({ status }) => status === 'failed')
  assert.deepEqual(await pagesOf(1, undefined, '&status=failed'), idsOf(failed).toReversed())
})

test('shows the due deliveries that an owned queue has room for as delivering, or the trial request of an open breaker', async () => {
  const own = await newWebhookTenant(backend)
  const { id } = await newWebhook(own, { url: PUBLIC })
  for (let made = 0; made < 10; made++) await emitNow(backend, conversationStarted(own.project))
  const path = `${webhooksOf(own)}/${id}/deliveries`
  const inOrder = idsOf((await own.owner.get(path)).body.data).toReversed()
  const dispatcher = randomUUID()
  await query(
    `insert into dispatchers (id, host, pid, lease_until) values ($1, 'h', 1, now() + interval '1 minute')`,
    [dispatcher],
  )
  await query('update endpoint_queues set owner = $2 where webhook_id = $1', [id, dispatcher])
  for (const [state, count] of [
    ['last_success_at = null', 1],
    ['last_success_at = now()', 8],
    ['consecutive_failures = 1', 1],
    ['consecutive_failures = 5, trial_at = now()', 1],
    [`trial_at = now() + interval '1 minute'`, 0],
  ] as const) {
    await query(`update endpoint_queues set ${state} where webhook_id = $1`, [id])
    const delivering = (await own.owner.get(`${path}?status=delivering`)).body.data
    assert.deepEqual(idsOf(delivering).toReversed(), inOrder.slice(0, count))
    for (const { status } of delivering) assert.equal(status, 'delivering')
    const pending = (await own.owner.get(`${path}?status=pending`)).body.data
    assert.deepEqual(idsOf(pending).toReversed(), inOrder.slice(count))
  }
  // It was disabled for a moment: those from before are not sent, and become missed.
  await query('update endpoint_queues set consecutive_failures = 0, trial_at = null where webhook_id = $1', [
    id,
  ])
  await query(
    'update webhooks set disabled_at = (select created_at from deliveries where id = $2) where id = $1',
    [id, inOrder[6]],
  )
  const later = (await own.owner.get(`${path}?status=delivering`)).body.data
  assert.deepEqual(idsOf(later).toReversed(), inOrder.slice(7))
  await query(`update dispatchers set lease_until = now() - interval '1 second' where id = $1`, [dispatcher])
  assert.equal((await own.owner.get(`${path}?status=delivering`)).body.data.length, 0)
})

test('rows added between two pages neither repeat nor shift others', async () => {
  const add = () => emitNow(backend, conversationStarted(tenant.project))
  assert.deepEqual(await pagesOf(3, add), idsOf(rows).toReversed())
})

test('filters the deliveries of a webhook by event, conversation and report, newest first', async () => {
  const path = ofWebhook(webhooks[0] as string)
  assert.deepEqual(eventsOf(await listedAt(path, `event_id=${events[1]}`)), [events[1]])
  assert.deepEqual(
    eventsOf(await listedAt(path, `conversation_id=${conversation}`)),
    events.slice(0, 3).toReversed(),
  )
  assert.deepEqual(eventsOf(await listedAt(path, `report_id=${report}`)), [events[3]])
  assert.deepEqual(
    eventsOf(await listedAt(path, `conversation_id=${conversation}&event=conversation.started`)),
    [events[0]],
  )
  assert.deepEqual(await listedAt(path, `conversation_id=${conversation}&report_id=${report}`), [])
  for (const row of await listedAt(path, `conversation_id=${conversation}`))
    assert.equal(row.webhook_id, webhooks[0])
})

test('finds nothing for unknown ids and those of another project, and refuses invalid UUIDs with 422', async () => {
  const other = await newWebhookTenant(backend)
  await newWebhook(other, { url: PUBLIC })
  const foreignEvent = await emitNow(backend, newEventOf('conversation.started', other.project))
  for (const path of [ofWebhook(webhooks[0] as string), ofProject()]) {
    for (const id of [randomUUID(), foreignEvent])
      assert.deepEqual(await listedAt(path, `event_id=${id}`), [])
    assert.deepEqual(await listedAt(path, `report_id=${conversation}`), [])
    assert.deepEqual(await listedAt(path, `conversation_id=${report}`), [])
    for (const name of ['event_id', 'conversation_id', 'report_id'])
      assertRefused(await second.owner.get(`${path}?${name}=nonsense`), name)
  }
})

test('finds resends and replays by their event, however much later they were made', async () => {
  const [webhook] = webhooks as [string]
  const own = newEventOf('conversation.started', second.project)
  const eventId = await emitNow(backend, own)
  // As if the event and its first delivery were three days old.
  await backend.database.pool.query(
    `with aged as (update events set id = uuid_floor(now() - interval '3 days'), occurred_at = now() - interval '3 days' where id = $1)
     update deliveries set id = uuid_floor(now() - interval '3 days' + interval '5 seconds'), event_id = uuid_floor(now() - interval '3 days')
     where event_id = $1 and webhook_id = $2`,
    [eventId, webhook],
  )
  const { rows } = await backend.database.pool.query(
    `select event_id, id from deliveries where webhook_id = $1 order by id limit 1`,
    [webhook],
  )
  const old = rows[0] as { event_id: string; id: string }
  const resent = await second.owner.post(`${ofWebhook(webhook)}/${old.id}/resend`)
  assert.equal(resent.status, 202, resent.text)
  const since = new Date(Date.now() - 4 * 86_400_000).toISOString()
  const until = new Date(Date.now() - 2 * 86_400_000).toISOString()
  await second.owner.post(`${webhooksOf(second)}/${webhook}/replay`, { since, until, only: 'all' })
  await backend.runTask('replays')
  const found = await listedAt(ofWebhook(webhook), `event_id=${old.event_id}`)
  assert.deepEqual(found.map(({ kind }) => kind).toSorted(), ['event', 'replay', 'resend'])
  assert.equal(found.at(-1).id, old.id, 'newest first')
})

test('lists the deliveries of all webhooks of a project, newest first, by page', async () => {
  const all = await listedAt(ofProject(), 'limit=200')
  const ids = all.map(({ id }) => id)
  assert.deepEqual(ids, ids.toSorted().toReversed())
  assert.deepEqual(
    new Set(all.map(({ webhook_id }) => webhook_id)),
    new Set(webhooks),
    'deleted webhooks are not listed',
  )
  const each = await Promise.all(webhooks.map((id) => listedAt(ofWebhook(id), 'limit=200')))
  assert.deepEqual(new Set(ids), new Set(each.flat().map(({ id }) => id)))
  const paged: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: Reply = await second.owner.get(`${ofProject()}?limit=3${cursor && `&cursor=${cursor}`}`)
    paged.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.next_cursor
  }
  assert.deepEqual(paged, ids)
})

test('the list of a project has the filters of a webhook’s list, and webhook_id', async () => {
  const found = await listedAt(ofProject(), `conversation_id=${conversation}`)
  assert.equal(found.length, 6)
  const one = await listedAt(ofProject(), `conversation_id=${conversation}&webhook_id=${webhooks[1]}`)
  assert.deepEqual(
    one.map(({ webhook_id, event_id }) => [webhook_id, event_id]),
    events
      .slice(0, 3)
      .toReversed()
      .map((id) => [webhooks[1], id]),
  )
  assert.equal((await listedAt(ofProject(), `event_id=${events[3]}&status=pending`)).length, 2)
  assert.deepEqual(await listedAt(ofProject(), `event_id=${events[3]}&status=failed`), [])
  assert.deepEqual(await listedAt(ofProject(), `webhook_id=${randomUUID()}`), [])
})
