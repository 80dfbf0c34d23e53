import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  type Caller,
  newUser,
  type Reply,
  startBackend,
  type TestBackend,
} from '../../../test/support/backend.ts'
import { type Receiver, startReceiver } from '../../../test/support/receiver.ts'
import { newWebhook, newWebhookTenant, webhooksOf } from '../../../test/support/webhooks.ts'

let backend: TestBackend
let receiver: Receiver
let staff: Caller
before(async () => {
  backend = await startBackend()
  receiver = await startReceiver()
  staff = await backend.as(newUser(), { admin_access: true })
})
after(async () => {
  await receiver.close()
  await backend.stop()
})

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

test('sends a test once for one Idempotency-Key and returns the same result', async () => {
  const tenant = await newWebhookTenant(backend)
  const { id } = await newWebhook(tenant, { url: `${receiver.url}/repeated-test` })
  const one = `${webhooksOf(tenant)}/${id}`
  const sent = () => receiver.received.filter(({ path }) => path === '/repeated-test').length
  const key = withKey()
  const replies = [
    await tenant.owner.post(`${one}/test`, {}, key),
    await tenant.owner.post(`${one}/test`, {}, key),
  ]
  assert.equal(replies[0]?.text, replies[1]?.text)
  assert.equal(sent(), 1)
  assert.equal((await tenant.owner.get(`${one}/deliveries`)).body.data.length, 1)
})

test('sends once when a test is repeated while the first is in progress', async () => {
  const tenant = await newWebhookTenant(backend)
  const { id } = await newWebhook(tenant, { url: `${receiver.url}/parallel-test` })
  const { answer } = receiver
  // Slow enough that the repeats arrive before the first response.
  receiver.answer = (...request) => void setTimeout(() => answer(...request), 500)
  const key = withKey()
  const replies = await times(3, () => tenant.owner.post(`${webhooksOf(tenant)}/${id}/test`, {}, key))
  receiver.answer = answer
  assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
  assert.equal(receiver.received.filter(({ path }) => path === '/parallel-test').length, 1)
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
