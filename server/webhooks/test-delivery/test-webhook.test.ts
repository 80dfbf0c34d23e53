import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newUser, type Reply, startBackend } from '../../../test/support/backend.ts'
import fc from '../../../test/support/properties.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import {
  EVERY_EVENT,
  newWebhook,
  newWebhookTenant,
  PUBLIC,
  until,
  webhooksOf,
} from '../../../test/support/webhooks.ts'
import { TestEvent } from '../events/payloads.ts'
import { takeTest } from './test-limit.ts'

/** Host names that resolve; all others have no address. */
const names = new Map<string, string>()
const backend = await startBackend({
  worker: true,
  rateLimits: { perUser: 100_000, failuresPerAddress: 100_000 },
  egress: {
    limits: { totalMs: 1_000 },
    resolve: async (name) => {
      const address = names.get(name)
      if (address === undefined) throw new Error('no such name')
      return [address]
    },
  },
})
const receiver = await startReceiver()
receiver.respond = (response, { path }) => {
  if (path === '/hang') return
  if (path === '/cut') return void response.socket?.destroy()
  const status = Number(path.slice(1)) || 204
  response.writeHead(status, status === 302 ? { location: `${receiver.url}/followed` } : {}).end()
}
after(async () => {
  await receiver.close()
  await backend.stop()
})

/** In a new project, so that other tests do not appear in its log or feed. */
async function newTested(body: Record<string, unknown>) {
  const own = await newWebhookTenant(backend)
  const webhook = await newWebhook(own, { url: receiver.url, ...body })
  const one = `${webhooksOf(own)}/${webhook.id}`
  return { own, webhook, one, send: (sent?: unknown) => own.owner.post(`${one}/test`, sent) }
}

const arrivedAt = (path: string) => receiver.received.filter((each) => each.path === path)

test('sends one attempt and returns its result', async () => {
  const { send } = await newTested({ url: `${receiver.url}/shape`, secret: 'long enough to be ok' })
  const { status, body } = await send()
  assert.equal(status, 200)
  assert.equal(Object.keys(body).join(' '), 'delivery_id success status_code duration_ms error signed')
  const { delivery_id, duration_ms, ...rest } = body
  assert.deepEqual(rest, { success: true, status_code: 204, error: null, signed: true })
  assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0)
  const got = arrivedAt('/shape')
  assert.equal(got.length, 1)
  assert.equal(got[0]?.headers['x-service-delivery'], delivery_id)
  assert.equal(got[0]?.headers['x-service-event'], 'webhook.test')
  assert.equal(got[0]?.headers['x-service-attempt'], '1')
})

for (const payload of ['full', 'ids']) {
  for (const event of EVERY_EVENT) {
    test(`a test of ${event} with payload ${payload} has the shape of that event and the ids of the project`, async () => {
      const path = `/${event}/${payload}`
      const { own, send } = await newTested({ url: receiver.url + path, payload })
      assert.equal((await send({ event })).body.success, true)
      const [got] = arrivedAt(path)
      assert.ok(got)
      const sent = JSON.parse(got.body.toString())
      TestEvent.parse(sent)
      assert.deepEqual([sent.type, sent.data.test_of], ['webhook.test', event])
      const { organisation_id, workspace_id, project_id, project_name } = sent.data
      assert.deepEqual(
        [organisation_id, workspace_id, project_id],
        [own.organisation, own.workspace, own.project],
      )
      assert.equal(project_name, payload === 'full' ? 'Tenant' : undefined)
      const [kind] = event.split('.') as [string]
      assert.ok(sent.data[`${kind}_id`])
      assert.equal(kind in sent.data, payload === 'full')
      assert.ok(Math.abs(Date.parse(sent.timestamp) - Date.now()) < 30_000)
    })
  }
}

const bodies: [what: string, body: unknown, headers: Record<string, string>][] = [
  ['no body', undefined, {}],
  ['an empty body', '', { 'content-type': 'application/json' }],
  ['{}', {}, {}],
]
for (const [what, body, headers] of bodies) {
  test(`a test with ${what} uses the first event of the webhook`, async () => {
    const path = `/body/${encodeURIComponent(what)}`
    const { own, one } = await newTested({
      url: receiver.url + path,
      events: ['report.generated', 'conversation.started'],
    })
    assert.equal((await own.owner.post(`${one}/test`, body, headers)).status, 200)
    assert.equal(JSON.parse(String(arrivedAt(path)[0]?.body)).data.test_of, 'report.generated')
  })
}

test('sends a test even if the webhook is disabled, by its owner or staff, or its breaker is open', async () => {
  const { webhook, send, own, one } = await newTested({ enabled: false })
  assert.equal((await send()).body.success, true)
  const staff = await backend.as(newUser(), { admin_access: true })
  await staff.post(`/api/v2/admin/webhooks/${webhook.id}/disable`, { reason: 'x' })
  assert.equal((await send()).body.success, true)
  await backend.database.pool.query(
    `update endpoint_queues set trial_at = now() + interval '1 hour', consecutive_failures = 9 where webhook_id = $1`,
    [webhook.id],
  )
  assert.equal((await send()).body.success, true)
  assert.equal((await own.owner.get(one)).body.enabled, false)
})

test('logs a test with its exact payload', async () => {
  const { own, one, send } = await newTested({ url: `${receiver.url}/500` })
  const { delivery_id } = (await send()).body
  const { data } = (await own.owner.get(`${one}/deliveries`)).body
  assert.equal(data.length, 1)
  const { id, kind, event, status, attempts, last_status, last_error, finished_at } = data[0]
  assert.deepEqual([id, kind, event], [delivery_id, 'test', 'webhook.test'])
  assert.deepEqual([status, attempts, last_status, last_error], ['failed', 1, 500, 'status'])
  assert.ok(finished_at)
  const detail = (await own.owner.get(`${one}/deliveries/${delivery_id}`)).body
  const got = receiver.received.find(({ headers }) => headers['x-service-delivery'] === delivery_id)
  assert.equal(detail.payload, got?.body.toString())
  assert.equal(detail.attempt_log.length, 1)
})

for (const [path, enabled] of [
  ['/204', true],
  ['/500', true],
  ['/410', true],
  ['/500', false],
] as const) {
  test(`tests with the result of ${path} change neither health nor breaker (enabled: ${enabled})`, async () => {
    const { webhook, own, one, send } = await newTested({ url: receiver.url + path, enabled })
    const queue = async () =>
      (await backend.database.pool.query('select * from endpoint_queues where webhook_id = $1', [webhook.id]))
        .rows
    const [before, queueBefore] = [(await own.owner.get(one)).body, await queue()]
    for (let sent = 0; sent < 6; sent++) assert.equal((await send()).status, 200)
    assert.deepEqual((await own.owner.get(one)).body, before)
    assert.deepEqual(await queue(), queueBefore)
  })
}

test('neither the feed nor a replay contains a test', async () => {
  const { own, one, send } = await newTested({ url: `${receiver.url}/500` })
  await send()
  await own.owner.send('PATCH', one, { url: `${receiver.url}/204` })
  await send()
  assert.deepEqual((await own.owner.get(`/api/v2/projects/${own.project}/events`)).body.data, [])
  for (const only of ['all', 'failed', 'missed', undefined]) {
    const { body } = await own.owner.post(`${one}/replay`, { since: '2026-01-01T00:00:00Z', only })
    const replay = await until(
      async () => (await own.owner.get(`${one}/replay/${body.id}`)).body,
      ({ state }) => state !== 'running',
    )
    assert.deepEqual([replay.state, replay.total], ['done', 0])
  }
  assert.equal((await own.owner.get(`${one}/deliveries`)).body.data.length, 2)
})

test('refuses to resend a test with 409 test_delivery, even while the webhook is disabled', async () => {
  const { own, one, send } = await newTested({ url: `${receiver.url}/no-resend` })
  const { delivery_id } = (await send()).body
  for (const enabled of [true, false]) {
    await own.owner.send('PATCH', one, { enabled })
    const reply = await own.owner.post(`${one}/deliveries/${delivery_id}/resend`)
    assert.deepEqual([reply.status, reply.body.code], [409, 'test_delivery'])
    assert.match(reply.body.detail, /Send a new test/)
  }
  assert.equal(arrivedAt('/no-resend').length, 1)
})

const failures: [what: string, url: () => string, error: string, status: number | null][] = [
  ['500', () => `${receiver.url}/500`, 'status', 500],
  ['404', () => `${receiver.url}/404`, 'status', 404],
  ['a redirect, which is not followed', () => `${receiver.url}/302`, 'status', 302],
  ['a closed port', () => 'http://127.0.0.1:1/', 'connect', null],
  ['a closed connection', () => `${receiver.url}/cut`, 'connect', null],
  ['a receiver that never responds', () => `${receiver.url}/hang`, 'timeout', null],
  ['https: to an http: server', () => receiver.url.replace('http:', 'https:'), 'tls', null],
  ['a name without an address', () => 'http://nowhere.invalid/', 'dns', null],
]
for (const [what, url, error, status] of failures) {
  test(`reports ${what} as ${error}, with status 200`, async () => {
    const { send } = await newTested({ url: url() })
    const reply = await send()
    assert.equal(reply.status, 200)
    const { success, status_code, error: reported } = reply.body
    assert.deepEqual([success, status_code, reported], [false, status, error])
  })
}

test('reports refused_address for a name that now resolves to a private address, and opens no connection', async () => {
  const { send } = await newTested({ url: `http://turned.invalid:${new URL(receiver.url).port}/turned` })
  names.set('turned.invalid', '10.0.0.1')
  const { success, status_code, error } = (await send()).body
  assert.deepEqual([success, status_code, error], [false, null, 'refused_address'])
  assert.equal(arrivedAt('/followed').length + arrivedAt('/turned').length, 0)
})

test('refuses the eleventh test of a webhook within a minute with 429 and Retry-After', async () => {
  const { one, own, send } = await newTested({ url: `${receiver.url}/limited` })
  const replies: Reply[] = []
  for (let sent = 0; sent < 10; sent++) replies.push(await send())
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
  const refused = await send()
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 61)
  assert.equal(arrivedAt('/limited').length, 10)
  assert.equal((await own.owner.get(`${one}/deliveries`)).body.data.length, 10)

  const second = await newWebhook(own, { url: receiver.url })
  assert.equal(
    (await own.owner.post(`${webhooksOf(own)}/${second.id}/test`)).status,
    200,
    'each webhook has its own limit',
  )
})

const webhookId = (await newWebhook(await newWebhookTenant(backend), { url: PUBLIC })).id

const MINUTE_MS = 60_000
const query = (text: string, values: unknown[]) => backend.database.pool.query(text, values)
/** Moves the stored times instead of the clock. */
const pass = (ms: number) =>
  query(
    `update webhooks set recent_tests = array(select t - $2 * interval '1 ms' from unnest(recent_tests) t order by t)
     where id = $1`,
    [webhookId, ms],
  )
const reset = () => query(`update webhooks set recent_tests = '{}' where id = $1`, [webhookId])
const take = () => takeTest(backend.database.db, webhookId)

test('allows at most 10 test deliveries in any 60 seconds', async () => {
  const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ max: 7_000 }), fc.integer({ max: 70_000 })), {
    minLength: 25,
    maxLength: 40,
  })
  await fc.assert(
    fc.asyncProperty(gaps, async (waits) => {
      await reset()
      const allowed: number[] = []
      let now = 0
      for (const gap of waits.map((each) => Math.max(0, each))) {
        await pass(gap)
        now += gap
        if ((await take()) === 0) allowed.push(now)
        const inLastMinute = allowed.filter((at) => at > now - MINUTE_MS)
        assert.ok(inLastMinute.length <= 10, `${inLastMinute.length} within 60 s`)
      }
    }),
    { numRuns: 20 },
  )
})

test('allows the next test after the returned seconds', async () => {
  await reset()
  for (let taken = 0; taken < 10; taken++) {
    assert.equal(await take(), 0)
    await pass(2_000)
  }
  const wait = await take()
  assert.ok(wait >= 40 && wait <= 42, `${wait} s`)
  await pass((wait - 3) * 1000)
  assert.notEqual(await take(), 0)
  await pass(3_000)
  assert.equal(await take(), 0)
})

test('allows 10 of 30 concurrent requests', async () => {
  await reset()
  const waits = await Promise.all(Array.from({ length: 30 }, take))
  assert.equal(waits.filter((wait) => wait === 0).length, 10)
  for (const wait of waits.filter((each) => each > 0)) assert.ok(wait <= 61, `${wait} s`)
})
