import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUser, type Reply, startBackend, type TestBackend } from '../../../test/support/backend.ts'
import type { Tenant } from '../../../test/support/tenants.ts'
import {
  conversationStarted,
  EVERY_EVENT,
  emitNow,
  newWebhook,
  newWebhookTenant,
  webhooksOf,
} from '../../../test/support/webhooks.ts'

const URL_ = 'http://127.0.0.1:9/hook'

let backend: TestBackend
let tenant: Tenant
let all: string
before(async () => {
  backend = await startBackend({ egress: { resolve: () => Promise.reject(new Error('no such name')) } })
  tenant = await newWebhookTenant(backend)
  all = webhooksOf(tenant)
})
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
  [
    'all events, in the order given',
    { events: EVERY_EVENT.toReversed() },
    { events: EVERY_EVENT.toReversed() },
  ],
  ['a secret of 15 characters', { secret: 's'.repeat(15) }, { has_secret: true, secret_strength: 'weak' }],
  ['a secret of 16 characters', { secret: 's'.repeat(16) }, { has_secret: true, secret_strength: 'ok' }],
  ['a secret of 256 characters', { secret: 's'.repeat(256) }, { has_secret: true, secret_strength: 'ok' }],
  [
    'a url, stored as parsed',
    { url: 'HTTP://127.0.0.1:80/a/../b?q=ü' },
    { url: 'http://127.0.0.1/b?q=%C3%BC' },
  ],
  ['a url of 2,048 characters', { url: `${URL_}?${'q'.repeat(2048 - URL_.length - 1)}` }, {}],
  [
    'a host that does not resolve',
    { url: 'https://nowhere.invalid/x' },
    { url: 'https://nowhere.invalid/x' },
  ],
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
