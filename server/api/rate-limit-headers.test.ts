import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newUser, type Reply, startBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal } from '../../test/support/conversations.ts'

let now = Date.now()
const backend = await startBackend({
  clock: { now: () => now },
  rateLimits: { perUser: 60, failuresPerAddress: 60 },
  allowedOrigins: ['https://dashboard.example.com'],
})
const portal = await newPortal(backend)
after(() => backend.stop())

const limitOf = ({ headers }: Reply) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`ratelimit-${name}`) ?? Number.NaN))

test('responses to a user show the limit, the remaining requests and the time of its reset', async () => {
  const caller = await backend.as(newUser())
  assert.deepEqual(limitOf(await caller.get('/api/v2/me')), [60, 59, 1])
  assert.deepEqual(limitOf(await caller.get(`/api/v2/projects/${newUser()}`)), [60, 58, 2], 'errors as well')
  now += 2_000
  assert.deepEqual(limitOf(await caller.post('/api/v2/organisations', { name: 'City' })), [60, 59, 1])
})

test('a refused request shows no remaining requests, with Retry-After', async () => {
  const caller = await backend.as(newUser())
  const replies = []
  for (let n = 0; n < 61; n++) replies.push(await caller.get('/api/v2/me'))
  const refused = replies.at(-1) as Reply
  assert.equal(refused.status, 429)
  assert.deepEqual(limitOf(refused), [60, 0, 60])
  assert.equal(refused.headers.get('retry-after'), '1')
})

test('an event stream shows the limit in its head', async () => {
  const response = await fetch(`${backend.url}/api/v2/projects/${portal.projectId}/stream`, {
    headers: { authorization: `Bearer ${portal.owner.token}` },
  })
  assert.equal(response.headers.get('ratelimit-limit'), '60')
  await response.body?.cancel()
})

test('responses to a participant show the tightest of their limits', async () => {
  const { send } = await newConversation(portal)
  assert.deepEqual(limitOf(await send('GET', '')), [240, 239, 1], 'of the conversation')
  assert.deepEqual(limitOf(await send('POST', '/heartbeat')), [240, 238, 1])
})

test('pages of allowed origins can read these headers', async () => {
  const reply = await portal.owner.get('/api/v2/me', { origin: 'https://dashboard.example.com' })
  const exposed = reply.headers.get('access-control-expose-headers') ?? ''
  for (const name of [
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
    'etag',
    'location',
    'retry-after',
  ])
    assert.ok(exposed.split(', ').includes(name), name)
})

test('sends no rate limit headers where no limit applies', async () => {
  const { headers } = await (await backend.as(newUser())).get('/api/health')
  assert.equal(headers.get('ratelimit-limit'), null)
})
