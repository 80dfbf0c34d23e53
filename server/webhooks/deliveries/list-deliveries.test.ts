import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { type Reply, startBackend, type TestBackend } from '../../../test/support/backend.ts'
import type { Tenant } from '../../../test/support/tenants.ts'
import {
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

/** Without a dispatcher, so that the log does not change. */
let backend: TestBackend
let tenant: Tenant
let log: string
/** Oldest first. */
let rows: Reply['body'][]
const STATES = ['succeeded', 'failed', 'missed', 'cancelled', 'pending']

before(async () => {
  backend = await startBackend()
  tenant = await newWebhookTenant(backend)
  const webhook = await newWebhook(tenant, { url: PUBLIC })
  await newWebhook(tenant, { url: PUBLIC, name: 'another webhook' })
  log = `${webhooksOf(tenant)}/${webhook.id}/deliveries`
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
  rows = (await tenant.owner.get(log)).body.data.toReversed()
})
after(() => backend.stop())

const query = (text: string, values: unknown[]) => backend.database.pool.query(text, values)
const idsOf = (list: Reply['body'][]): string[] => list.map(({ id }) => id)
const listed = async (filter: string): Promise<string[]> => {
  const reply = await tenant.owner.get(`${log}?${filter}`)
  assert.equal(reply.status, 200, reply.text)
  return idsOf(reply.body.data)
}

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

test('shows the first eight due deliveries of an owned queue as delivering, or one while the breaker is open', async () => {
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
  for (const [breaker, count] of [
    ['null', 8],
    ['now()', 1],
  ] as const) {
    await query(`update endpoint_queues set trial_at = ${breaker} where webhook_id = $1`, [id])
    const delivering = (await own.owner.get(`${path}?status=delivering`)).body.data
    assert.deepEqual(idsOf(delivering).toReversed(), inOrder.slice(0, count))
    for (const { status } of delivering) assert.equal(status, 'delivering')
    const pending = (await own.owner.get(`${path}?status=pending`)).body.data
    assert.deepEqual(idsOf(pending).toReversed(), inOrder.slice(count))
  }
  await query(`update dispatchers set lease_until = now() - interval '1 second' where id = $1`, [dispatcher])
  assert.equal((await own.owner.get(`${path}?status=delivering`)).body.data.length, 0)
})

test('rows added between two pages neither repeat nor shift others', async () => {
  const add = () => emitNow(backend, conversationStarted(tenant.project))
  assert.deepEqual(await pagesOf(3, add), idsOf(rows).toReversed())
})
