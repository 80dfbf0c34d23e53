import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { newUser, type Reply, startBackend } from '../../../test/support/backend.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import {
  conversationStarted,
  EVERY_EVENT,
  emitNow,
  newWebhook,
  newWebhookTenant,
  webhooksOf,
} from '../../../test/support/webhooks.ts'

const URL_ = 'http://127.0.0.1:9/hook'
const REVERSED = EVERY_EVENT.toReversed()
const UNKNOWN_HOST = { url: 'https://nowhere.invalid/x' }

const backend = await startBackend({ egress: { resolve: () => Promise.reject(new Error('no such name')) } })
const tenant = await newWebhookTenant(backend)
const all = webhooksOf(tenant)
after(() => backend.stop())

const query = (text: string, values: unknown[] = []) => backend.database.pool.query(text, values)
const patch = (id: string, body: unknown, headers?: Record<string, string>) =>
  tenant.owner.send('PATCH', `${all}/${id}`, body, headers)
const read = async (id: string): Promise<Reply['body']> => (await tenant.owner.get(`${all}/${id}`)).body

/** As the service does it after five days of failures. */
const disableAs = (id: string, reason: string) =>
  query('update webhooks set enabled = false, disabled_reason = $2 where id = $1', [id, reason])

test('a webhook with only url and events is enabled, unsigned and new, and sends full payloads', async () => {
  const reply = await tenant.owner.post(all, { url: URL_, events: ['report.generated'] })
  assert.equal(reply.status, 201)
  const { id, created_at, updated_at, ...rest } = reply.body
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  for (const at of [created_at, updated_at]) assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(rest, {
    project_id: tenant.project,
    name: null,
    url: URL_,
    events: ['report.generated'],
    enabled: true,
    payload: 'full',
    has_secret: false,
    secret_strength: null,
    health: {
      state: 'new',
      consecutive_failures: 0,
      last_attempt_at: null,
      last_success_at: null,
      last_status: null,
      disabled_reason: null,
      oldest_pending_at: null,
      missed: 0,
    },
  })
  assert.equal(reply.headers.get('location'), `${all}/${id}`)
  const again = await tenant.owner.get(`${all}/${id}`)
  assert.deepEqual(again.body, reply.body)
  assert.equal(again.headers.get('etag'), reply.headers.get('etag'))
  assert.match(reply.headers.get('etag') ?? '', /^"[^"]+"$/)
})

const fieldsOnCreate: [what: string, sent: Record<string, unknown>, shown: Record<string, unknown>][] = [
  ['a name', { name: 'Café “☕”' }, { name: 'Café “☕”' }],
  ['a name of 100 characters', { name: 'n'.repeat(100) }, { name: 'n'.repeat(100) }],
  ['no name', { name: null }, { name: null }],
  ['enabled false', { enabled: false }, { enabled: false }],
  ['payload ids', { payload: 'ids' }, { payload: 'ids' }],
  ['all events, in the order given', { events: REVERSED }, { events: REVERSED }],
  ['a secret of 15 characters', { secret: 's'.repeat(15) }, { has_secret: true, secret_strength: 'weak' }],
  ['a secret of 16 characters', { secret: 's'.repeat(16) }, { has_secret: true, secret_strength: 'ok' }],
  ['a secret of 256 characters', { secret: 's'.repeat(256) }, { has_secret: true, secret_strength: 'ok' }],
  [
    'a url, stored as parsed',
    { url: 'HTTP://127.0.0.1:80/a/../b?q=ü' },
    { url: 'http://127.0.0.1/b?q=%C3%BC' },
  ],
  ['a url of 2,048 characters', { url: `${URL_}?${'q'.repeat(2048 - URL_.length - 1)}` }, {}],
  ['a host that does not resolve', UNKNOWN_HOST, UNKNOWN_HOST],
]
for (const [what, sent, shown] of fieldsOnCreate) {
  test(`accepts on create: ${what}`, async () => {
    const own = await newWebhookTenant(backend)
    const made = await newWebhook(own, { url: URL_, ...sent })
    for (const [field, value] of Object.entries(shown)) assert.deepEqual(made[field], value, field)
    assert.ok(!('secret' in made))
    assert.equal(made.health.disabled_reason, sent['enabled'] === false ? 'manual' : null)
  })
}

test('shows a generated secret only in the response that created it', async () => {
  const made = await newWebhook(tenant, { url: URL_, generate_secret: true })
  assert.match(made.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual([made.has_secret, made.secret_strength], [true, 'ok'])
  const one = `${all}/${made.id}`
  for (const reply of [
    await tenant.owner.get(all),
    await tenant.owner.get(one),
    await patch(made.id, { name: 'n' }),
  ])
    assert.ok(!reply.text.includes(made.secret))
  const { secret: _, ...record } = made
  assert.deepEqual({ ...(await read(made.id)), name: null, updated_at: made.updated_at }, record)
})

test('lists the webhooks of one project as a plain array, newest first', async () => {
  const own = await newWebhookTenant(backend)
  assert.deepEqual((await own.owner.get(webhooksOf(own))).body, [])
  const made = []
  for (const name of ['first', 'second', 'third']) made.push(await newWebhook(own, { url: URL_, name }))
  assert.deepEqual((await own.owner.get(webhooksOf(own))).body, made.toReversed())
})

test('PATCH {} changes nothing, not even updated_at, and keeps the ETag', async () => {
  const before = await newWebhook(tenant, { url: URL_, secret: 'a secret of some length' })
  const reply = await patch(before.id, {})
  assert.deepEqual([reply.status, reply.body], [200, before])
  assert.equal(reply.headers.get('etag'), (await tenant.owner.get(`${all}/${before.id}`)).headers.get('etag'))
})

const fieldsOnUpdate: [sent: Record<string, unknown>, shown: Record<string, unknown>][] = [
  [{ name: 'New' }, { name: 'New' }],
  [{ name: null }, { name: null }],
  [{ url: 'http://127.0.0.1:10/x/./y' }, { url: 'http://127.0.0.1:10/x/y' }],
  [{ events: ['conversation.started'] }, { events: ['conversation.started'] }],
  [{ payload: 'ids' }, { payload: 'ids' }],
  [{ secret: 'short' }, { has_secret: true, secret_strength: 'weak' }],
  [{ secret: null }, { has_secret: false, secret_strength: null }],
  [
    { name: 'x', payload: 'ids', secret: 'y'.repeat(20) },
    { name: 'x', payload: 'ids', secret_strength: 'ok' },
  ],
]
for (const [sent, shown] of fieldsOnUpdate) {
  test(`PATCH ${JSON.stringify(sent)} changes only that, and the ETag`, async () => {
    const own = await newWebhookTenant(backend)
    const made = await newWebhook(own, { url: URL_, name: 'Old', secret: 'an old secret of length' })
    const path = `${webhooksOf(own)}/${made.id}`
    const etag = (await own.owner.get(path)).headers.get('etag')
    const reply = await own.owner.send('PATCH', path, sent)
    assert.equal(reply.status, 200)
    assert.deepEqual(reply.body, { ...made, ...shown, updated_at: reply.body.updated_at })
    assert.notEqual(reply.headers.get('etag'), etag)
    assert.deepEqual((await own.owner.get(path)).body, reply.body)
  })
}

test('accepts If-Match with the current ETag, and refuses a stale one with 412 without a change', async () => {
  const { id } = await newWebhook(tenant, { url: URL_ })
  const etag = (await tenant.owner.get(`${all}/${id}`)).headers.get('etag') as string
  const first = await patch(id, { name: 'first' }, { 'if-match': etag })
  assert.equal(first.status, 200)
  const stale = await patch(id, { name: 'second' }, { 'if-match': etag })
  assert.deepEqual([stale.status, stale.body.code], [412, 'precondition_failed'])
  assert.equal((await patch(id, {}, { 'if-match': etag })).status, 412)
  assert.equal((await patch(id, { name: 'third' }, { 'if-match': '*' })).status, 200)
  assert.equal((await read(id)).name, 'third')
})

test('an ETag from before a change of health still matches If-Match, but not If-None-Match', async () => {
  const { id } = await newWebhook(tenant, { url: URL_ })
  const etag = (await tenant.owner.get(`${all}/${id}`)).headers.get('etag') as string
  await query(
    'update endpoint_queues set consecutive_failures = 3, last_attempt_at = now() where webhook_id = $1',
    [id],
  )
  const after = await tenant.owner.get(`${all}/${id}`, { 'if-none-match': etag })
  assert.deepEqual([after.status, after.body.health.state], [200, 'failing'])
  assert.equal((await patch(id, { name: 'x' }, { 'if-match': etag })).status, 200)
})

test('enabled: false disables the webhook, and its pending deliveries become missed', async () => {
  const { id } = await newWebhook(tenant, { url: URL_ })
  await emitNow(backend, conversationStarted(tenant.project))
  assert.notEqual((await read(id)).health.oldest_pending_at, null)
  const { health, enabled } = (await patch(id, { enabled: false })).body
  assert.deepEqual([enabled, health.state, health.disabled_reason], [false, 'disabled', 'manual'])
  assert.deepEqual([health.missed, health.oldest_pending_at], [1, null])
  await emitNow(backend, conversationStarted(tenant.project))
  assert.equal((await read(id)).health.missed, 2)
})

for (const reason of ['manual', 'gone', 'failing', 'secret_unreadable']) {
  test(`enabled: true enables a webhook that was disabled as ${reason} and resets its failures`, async () => {
    const { id } = await newWebhook(tenant, { url: URL_ })
    await disableAs(id, reason)
    await query(
      'update endpoint_queues set consecutive_failures = 9, trial_at = now() where webhook_id = $1',
      [id],
    )
    assert.equal((await read(id)).health.disabled_reason, reason)
    const reply = await patch(id, { enabled: true })
    assert.deepEqual([reply.status, reply.body.enabled], [200, true])
    assert.deepEqual([reply.body.health.disabled_reason, reply.body.health.consecutive_failures], [null, 0])
    await tenant.owner.send('DELETE', `${all}/${id}`)
  })
}

test('only staff can enable a webhook that staff disabled', async () => {
  const own = await newWebhookTenant(backend)
  const staff = await backend.as(newUser(), { admin_access: true })
  for (const enabled of [true, false]) {
    const { id } = await newWebhook(own, { url: URL_, enabled })
    const one = `${webhooksOf(own)}/${id}`
    const disabled = await staff.post(`/api/v2/admin/webhooks/${id}/disable`, { reason: 'abuse' })
    assert.deepEqual([disabled.status, disabled.body.health.disabled_reason], [200, 'staff'])
    for (const body of [{ enabled: true }, { enabled: true, name: 'x' }]) {
      const refused = await own.owner.send('PATCH', one, body)
      assert.deepEqual([refused.status, refused.body.code], [409, 'disabled_by_staff'])
    }
    assert.equal((await own.owner.send('PATCH', one, { enabled: false, name: 'renamed' })).status, 200)
    assert.equal((await own.owner.send('PATCH', one, { enabled: true })).status, 409)
    const allowed = await staff.send('PATCH', one, { enabled: true })
    assert.deepEqual([allowed.status, allowed.body.enabled, allowed.body.name], [200, true, 'renamed'])
  }
})

test('DELETE returns 204, then 404, and cancels pending deliveries', async () => {
  const { id } = await newWebhook(tenant, { url: URL_, generate_secret: true })
  await emitNow(backend, conversationStarted(tenant.project))
  assert.equal((await tenant.owner.send('DELETE', `${all}/${id}`)).status, 204)
  assert.equal((await tenant.owner.send('DELETE', `${all}/${id}`)).status, 404)
  assert.equal((await tenant.owner.get(`${all}/${id}`)).status, 404)
  assert.ok(!(await tenant.owner.get(all)).text.includes(id))
  await emitNow(backend, conversationStarted(tenant.project))
  const { rows } = await query('select status from deliveries where webhook_id = $1', [id])
  assert.deepEqual(rows, [{ status: 'cancelled' }])
  const { rows: kept } = await query('select secret, previous_secret from webhooks where id = $1', [id])
  assert.deepEqual(kept, [{ secret: null, previous_secret: null }])
})

const receiver = await startReceiver()
const staff = await backend.as(newUser(), { admin_access: true })
after(() => receiver.close())

const events = ['conversation.started']
const withKey = () => ({ 'idempotency-key': randomUUID() })
const times = <T>(count: number, work: () => Promise<T>) => Promise.all(Array.from({ length: count }, work))

test('creates 20 webhooks from 30 concurrent requests and refuses 10 with limit_reached', async () => {
  const tenant = await newWebhookTenant(backend)
  const all = webhooksOf(tenant)
  const replies = await times(30, () => tenant.owner.post(all, { url: receiver.url, events }))
  const refused = replies.filter(({ status }) => status !== 201)
  assert.equal(refused.length, 10)
  for (const { status, body } of refused) assert.deepEqual([status, body.code], [409, 'limit_reached'])
  const list = (await tenant.owner.get(all)).body
  assert.equal(list.length, 20)
  assert.equal((await tenant.owner.post(all, { url: receiver.url, events })).status, 409)

  await tenant.owner.send('DELETE', `${all}/${list[7].id}`)
  assert.equal(
    (await tenant.owner.post(all, { url: receiver.url, events })).status,
    201,
    'a deleted webhook does not count',
  )
})

test('each project has its own limit', async () => {
  const tenant = await newWebhookTenant(backend)
  for (let made = 0; made < 20; made++) await newWebhook(tenant, { url: receiver.url, events })
  const sibling = await tenant.owner.post(`/api/v2/workspaces/${tenant.workspace}/projects`, {
    name: 'Second',
  })
  await newWebhook({ ...tenant, project: sibling.body.id }, { url: receiver.url, events })
})

/** Sends a request three times in sequence and three times concurrently, with one key each. */
async function repeated(send: (headers: Record<string, string>) => Promise<Reply>): Promise<Reply[][]> {
  const key = withKey()
  const inSequence = [await send(key), await send(key), await send(key)]
  const other = withKey()
  return [inSequence, await times(3, () => send(other))]
}

test('creates one webhook for one Idempotency-Key and returns the same secret', async () => {
  const tenant = await newWebhookTenant(backend)
  const all = webhooksOf(tenant)
  const body = { url: receiver.url, events, generate_secret: true }
  for (const replies of await repeated((headers) => tenant.owner.post(all, body, headers))) {
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    assert.match(replies[0]?.body.secret, /^whsec_/)
    for (const { headers } of replies) assert.equal(headers.get('etag'), replies[0]?.headers.get('etag'))
  }
  assert.equal((await tenant.owner.get(all)).body.length, 2)
})

test('rotates once for one Idempotency-Key and returns the same secret', async () => {
  const tenant = await newWebhookTenant(backend)
  const { id } = await newWebhook(tenant, { url: receiver.url, generate_secret: true })
  const rotate = (headers: Record<string, string>) =>
    tenant.owner.post(`${webhooksOf(tenant)}/${id}/rotate-secret`, {}, headers)
  for (const replies of await repeated(rotate)) assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  const { rows } = await backend.database.pool.query('select secret_version from webhooks where id = $1', [
    id,
  ])
  assert.equal(rows[0]?.secret_version, 3)
})

const rotations: [sent: unknown, seconds: number | null, strength: string][] = [
  [undefined, 86_400, 'ok'],
  [{}, 86_400, 'ok'],
  [{ overlap_seconds: 604_800 }, 604_800, 'ok'],
  [{ secret: 'short', overlap_seconds: 60 }, 60, 'weak'],
  [{ overlap_seconds: 0 }, null, 'ok'],
]
for (const [sent, seconds, strength] of rotations) {
  test(`a rotation with ${JSON.stringify(sent) ?? 'no body'} returns a secret only if the service generated it`, async () => {
    const tenant = await newWebhookTenant(backend)
    const before = await newWebhook(tenant, { url: receiver.url, secret: 'the first, long enough' })
    const one = `${webhooksOf(tenant)}/${before.id}`
    const etag = (await tenant.owner.get(one)).headers.get('etag') as string
    const { status, body } = await tenant.owner.post(`${one}/rotate-secret`, sent)
    assert.equal(status, 200)
    const given = strength === 'weak'
    assert.deepEqual(Object.keys(body), given ? ['previous_valid_until'] : ['secret', 'previous_valid_until'])
    if (!given) assert.match(body.secret, /^whsec_/)
    const left = body.previous_valid_until && (Date.parse(body.previous_valid_until) - Date.now()) / 1000
    assert.ok(seconds === null ? left === null : Math.abs(left - seconds) < 30, String(left))
    const after = await tenant.owner.get(one)
    assert.deepEqual(after.body, { ...before, secret_strength: strength, updated_at: after.body.updated_at })
    assert.equal((await tenant.owner.send('PATCH', one, {}, { 'if-match': etag })).status, 412)
  })
}

test('sends a test once for one Idempotency-Key, even if it is repeated while the first is in progress', async () => {
  const tenant = await newWebhookTenant(backend)
  const { id } = await newWebhook(tenant, { url: `${receiver.url}/repeated-test` })
  const one = `${webhooksOf(tenant)}/${id}`
  const { respond: answer } = receiver
  // Slow enough that concurrent repeats arrive before the first response.
  receiver.respond = (...request) => void setTimeout(() => answer(...request), 500)
  const sent = await repeated((headers) => tenant.owner.post(`${one}/test`, {}, headers))
  receiver.respond = answer
  for (const replies of sent) assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  assert.equal(
    receiver.received.filter(({ path }) => path === '/repeated-test').length,
    2,
    'once for each key',
  )
  assert.equal((await tenant.owner.get(`${one}/deliveries`)).body.data.length, 2)
})

test('writes one audit entry per change, without the secret or the URL', async () => {
  const tenant = await newWebhookTenant(backend)
  const all = webhooksOf(tenant)
  const word = `canary${randomUUID()}`
  const made = await newWebhook(tenant, { url: `${receiver.url}/?token=${word}`, secret: word, name: word })
  const one = `${all}/${made.id}`
  const change = (body: unknown) => tenant.owner.send('PATCH', one, body)
  await change({ name: `${word}-2` })
  await change({})
  await change({ secret: `${word}-3` })
  await change({ secret: null, url: `${receiver.url}/?token=${word}` })
  await tenant.owner.post(`${one}/rotate-secret`, { secret: `${word}-4`, overlap_seconds: 60 })
  await staff.post(`/api/v2/admin/webhooks/${made.id}/disable`, { reason: 'as they asked' })
  await tenant.owner.send('DELETE', one)

  const log = await tenant.owner.get(`/api/v2/organisations/${tenant.organisation}/audit?limit=200`)
  const rows = log.body.data.filter((row: Reply['body']) => row.target_id === made.id).toReversed()
  assert.deepEqual(
    rows.map((row: Reply['body']) => [row.action, row.actor_id, row.actor_staff]),
    [
      ['webhook.created', tenant.owner.userId, false],
      ['webhook.updated', tenant.owner.userId, false],
      ['webhook.secret_changed', tenant.owner.userId, false],
      ['webhook.secret_changed', tenant.owner.userId, false],
      ['webhook.secret_rotated', tenant.owner.userId, false],
      ['webhook.disabled', staff.userId, true],
      ['webhook.deleted', tenant.owner.userId, false],
    ],
  )
  assert.equal(rows[5].reason, 'as they asked')
  for (const row of rows) assert.equal(row.workspace_id, tenant.workspace)
  assert.ok(!log.text.includes(word))
})

test('lists the webhooks of every tier for staff, by page, newest first', async () => {
  const made = []
  for (const tier of ['changemaker', 'guardian']) {
    const tenant = await newWebhookTenant(backend, tier)
    made.push(await newWebhook(tenant, { url: receiver.url, secret: 'x'.repeat(20) }))
  }
  const seen: Reply['body'][] = []
  for (let cursor: string | null = '', pages = 0; cursor !== null && pages < 100; pages++) {
    const page: Reply = await staff.get(`/api/v2/admin/webhooks?limit=7${cursor && `&cursor=${cursor}`}`)
    assert.equal(page.status, 200)
    seen.push(...page.body.data)
    cursor = page.body.next_cursor
  }
  assert.deepEqual(seen.slice(0, 2), made.toReversed())
  const ids = seen.map(({ id }) => id)
  assert.deepEqual(ids, [...new Set(ids)].toSorted().toReversed())
  assert.equal((await staff.post(`/api/v2/admin/webhooks/${made[0].id}/disable`, {})).status, 422)
  assert.equal(
    (await staff.post(`/api/v2/admin/webhooks/${randomUUID()}/disable`, { reason: 'x' })).status,
    404,
  )
})

test('staff list the webhooks of one state of health', async () => {
  const other = await newWebhookTenant(backend)
  const make = async () => (await newWebhook(other, { url: URL_ })).id as string
  const made = { new: await make(), ok: await make(), failing: await make(), disabled: await make() }
  const attempted =
    'update endpoint_queues set last_attempt_at = now(), consecutive_failures = $2 where webhook_id = $1'
  await query(attempted, [made.ok, 0])
  await query(attempted, [made.failing, 3])
  await other.owner.send('PATCH', `${webhooksOf(other)}/${made.disabled}`, { enabled: false })
  for (const [state, id] of Object.entries(made)) {
    const { body } = await staff.get(`/api/v2/admin/webhooks?limit=200&state=${state}`)
    const found = body.data.map((one: { id: string }) => one.id)
    assert.deepEqual(
      Object.values(made).filter((one) => found.includes(one)),
      [id],
      state,
    )
    assert.ok(body.data.every(({ health }: Reply['body']) => health.state === state))
  }
  assert.equal((await staff.get('/api/v2/admin/webhooks?state=odd')).status, 422)
})
