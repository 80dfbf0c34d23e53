import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { after, afterEach, beforeEach, test } from 'node:test'
import { callerOf, newUser, request, startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { newConversation, newPortalOf } from '../../../test/support/conversations.ts'
import { wavOf } from '../../../test/support/engines.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { newTenant } from '../../../test/support/tenants.ts'
import { fileOf, locationOf, tusClient, untilSize } from '../../../test/support/uploads.ts'
import { newWebhook, newWebhookTenant, until, webhooksOf } from '../../../test/support/webhooks.ts'
import { OPEN_STREAMS } from '../rate-limits.ts'

const LIMIT = 300
const options = {
  rateLimits: { perUser: 2_000, failuresPerAddress: LIMIT },
  trustedProxies: ['127.0.0.1'],
  enqueues: true,
}
const first = await startBackend(options)
const peers = [
  await startBackend({ ...options, peerOf: first }),
  await startBackend({ ...options, peerOf: first }),
]
const processes = [first, ...peers] as [TestBackend, TestBackend, TestBackend]
beforeEach(async () => {
  for (const { metrics } of processes)
    await until(
      async () => (await metrics.registry.getSingleMetric('parley_api_processes')?.get())?.values[0]?.value,
      (count) => count === processes.length,
    )
})
after(async () => {
  for (const peer of peers) await peer.stop()
  await first.stop()
})

/** How many requests of an address are allowed. `on` says which process gets each of them. */
async function allowed(count: number, address: string, on: (n: number) => TestBackend): Promise<number> {
  const headers = { authorization: 'Bearer a.b.c', 'x-forwarded-for': address }
  const statuses = await Promise.all(
    Array.from(
      { length: count },
      async (_, n) => (await request(`${on(n).url}/api/v2/me`, 'GET', undefined, headers)).status,
    ),
  )
  return statuses.filter((status) => status === 401).length
}

for (const [index, [name, on]] of (
  [
    ['evenly over three processes', (n: number) => processes[n % 3]],
    ['nine of ten through one process', (n: number) => processes[n % 10 === 0 ? 1 + (n % 20) / 10 : 0]],
    ['all through one process', () => processes[0]],
    ['one process after the other', (n: number) => processes[Math.floor(n / 400)]],
  ] as [string, (n: number) => TestBackend][]
).entries())
  test(`a rate limit holds within 10 %: ${name}`, async (t) => {
    const started = Date.now()
    const count = await allowed(1_200, `198.51.100.${index}`, on)
    const refilled = ((Date.now() - started) / 60_000) * LIMIT
    t.diagnostic(`${count} of 1200 allowed, limit ${LIMIT} and ${Math.round(refilled)} refilled`)
    assert.ok(count >= LIMIT * 0.9 && count <= (LIMIT + refilled) * 1.1, `${count} allowed`)
  })

const opened: ClientRequest[] = []
afterEach(() => {
  for (const stream of opened.splice(0)) stream.destroy()
})

async function open(url: string, token: string): Promise<IncomingMessage> {
  const sent = get(url, { headers: { authorization: `Bearer ${token}` }, agent: false })
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  if (response.statusCode === 200) opened.push(sent)
  else response.resume()
  return response
}

test('a user can open 20 streams in three processes together, and closing one makes room in another', async () => {
  const { owner, project } = await newTenant(first)
  const stream = (n: number) =>
    open(`${processes[n % 3]?.url}/api/v2/projects/${project}/stream`, owner.token)
  const responses = await Promise.all(Array.from({ length: 45 }, (_, n) => stream(n)))
  assert.equal(responses.filter(({ statusCode }) => statusCode === 200).length, OPEN_STREAMS.user)
  assert.equal((await stream(1)).statusCode, 429)
  opened.shift()?.destroy()
  await until(
    () => stream(1),
    ({ statusCode }) => statusCode === 200,
  )
})

test('a repeat with the same Idempotency-Key on another process waits for the first and gets its response', async (t) => {
  const receiver = await startReceiver()
  const tenant = await newWebhookTenant(first)
  const { id } = await newWebhook(tenant, { url: receiver.url })
  const { promise: answered, resolve: respond } = Promise.withResolvers<void>()
  receiver.respond = (response) => void answered.then(() => response.writeHead(204).end())
  const path = `${webhooksOf(tenant)}/${id}/test`
  const post = (on: TestBackend) =>
    callerOf(on.url, tenant.owner.userId, tenant.owner.token).post(path, {}, { 'idempotency-key': 'same' })
  const queries = processes.map(({ database }) => t.mock.method(database.pool, 'query'))
  const hasAskedAgain = ({ mock }: (typeof queries)[number]): boolean =>
    mock.calls.filter(({ arguments: [text] }) => String(text).includes('take_slots')).length >= 2
  const replies = processes.map(post)
  await receiver.got(1)
  // The two repeats wait: they have asked for the slot again.
  await until(
    async () => queries.filter(hasAskedAgain).length,
    (count) => count === 2,
  )
  respond()
  const texts = (await Promise.all(replies)).map(({ status, text }) => `${status} ${text}`)
  assert.equal(new Set(texts).size, 1, texts.join('\n'))
  assert.equal(receiver.received.length, 1)
  await receiver.close()
})

test('of two PATCH requests to one upload on two processes the second is 423, and HEAD on the other process ends the first', async () => {
  const portal = await newPortalOf(first, await first.as(newUser()))
  const conversation = await newConversation(portal)
  const [tus, other] = [first, peers[0] as TestBackend].map(({ url }) =>
    tusClient(url, `/api/participant/conversations/${conversation.id}/uploads`, {
      'x-participant-token': conversation.token,
    }),
  ) as [ReturnType<typeof tusClient>, ReturnType<typeof tusClient>]
  const bytes = wavOf('On two processes', 10)
  const location = locationOf(await tus.begin(bytes.length))
  const hanging = tus.startPatch(location, 0, bytes, 100_000)
  hanging.on('error', () => {})
  opened.push(hanging)
  await untilSize(fileOf(first, `${portal.projectId}/${conversation.id}`, location), 100_000)
  assert.equal((await other.patch(location, 0, bytes)).status, 423)
  const offset = Number((await other.head(location)).headers.get('upload-offset'))
  assert.equal(offset, 100_000)
  assert.equal((await other.patch(location, offset, bytes.subarray(offset))).status, 204)
  hanging.destroy()
})

test('a participant can have 20 unfinished uploads in three processes together', async () => {
  const portal = await newPortalOf(first, await first.as(newUser()))
  const { id, token } = await newConversation(portal)
  const statuses: number[] = []
  for (let n = 0; n < 22; n++) {
    const { url } = processes[n % 3] as TestBackend
    const tus = tusClient(url, `/api/participant/conversations/${id}/uploads`, {
      'x-participant-token': token,
    })
    statuses.push((await tus.begin(1_000)).status)
  }
  assert.equal(statuses.filter((status) => status === 201).length, 20)
})

test('a project whose storage was used up through one process is full for all of them', async () => {
  const portal = await newPortalOf(first, await first.as(newUser()))
  const { id } = await newConversation(portal)
  await first.database.pool.query('update conversations set bytes = $2 where id = $1', [id, 100 * 1024 ** 3])
  for (const { url } of peers) {
    const path = `/api/participant/projects/${portal.projectId}/conversations`
    assert.equal((await request(`${url}${path}`, 'POST', {})).body.code, 'limit_reached')
  }
})

test('a webhook gets 10 test deliveries a minute from three processes together', async () => {
  const receiver = await startReceiver()
  const tenant = await newWebhookTenant(first)
  const { id } = await newWebhook(tenant, { url: receiver.url })
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) {
    const { url } = processes[n % 3] as TestBackend
    const caller = callerOf(url, tenant.owner.userId, tenant.owner.token)
    statuses.push((await caller.post(`${webhooksOf(tenant)}/${id}/test`, {})).status)
  }
  assert.deepEqual(statuses, [...Array<number>(10).fill(200), 429, 429])
  await receiver.close()
})
