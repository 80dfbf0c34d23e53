import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { newEncryptionKey } from '../../platform/encryption.ts'
import { DOWNLOADS_PER_WORKSPACE, OPEN_STREAMS } from '../../server/api/rate-limits.ts'
import { type Caller, callerOf, newUser, request } from '../support/backend.ts'
import { newConversation } from '../support/conversations.ts'
import { testDatabase } from '../support/database.ts'
import { wavOf } from '../support/engines.ts'
import { forge, HS256_HEADER, hmac } from '../support/forge-token.ts'
import { startReceiver } from '../support/receiver.ts'
import { type Service, startService, temporaryFolder } from '../support/service.ts'
import { newTenantOf } from '../support/tenants.ts'
import { fileOf, locationOf, tusClient, untilSize } from '../support/uploads.ts'
import { newWebhook, until, webhooksOf } from '../support/webhooks.ts'

const LIMIT = 300
/** As docs/self-hosting.md says, and a second for a renewal that the killed process had sent before. */
const FREE_WITHIN_MS = 10_000 + 1_000
/** Of a request that waits in another process, on a busy machine. */
const REQUEST_MS = 10_000
const POLL_MS = 100

const database = await testDatabase()
const folder = await temporaryFolder()
const identitySecret = randomBytes(32).toString('hex')
const environment = {
  ROLES: 'api',
  PUBLIC_URL: 'https://parley.example.org',
  DATABASE_URL: database.url,
  ENCRYPTION_KEY: newEncryptionKey(),
  FILES_URL: pathToFileURL(join(folder, 'files')).href,
  // No server listens there: the service verifies access tokens with the secret alone.
  IDENTITY_URL: 'http://127.0.0.1:9',
  IDENTITY_SECRET: identitySecret,
  TIER_GATES: 'off',
  RATE_LIMIT_FAILURES: String(LIMIT),
  TRUSTED_PROXIES: '127.0.0.1',
  WEBHOOK_ALLOW_HTTP: 'on',
  WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
}
const services = await Promise.all(
  ['first', 'second', 'killed'].map((name) => startService(join(folder, name), { environment })),
)
const [first, second, killed] = services as [Service, Service, Service]
const others = [first, second].map((service) => service.address('Listens on')) as [string, string]
const victim = killed.address('Listens on')

const opened: ClientRequest[] = []
const ending = new AbortController()
after(async () => {
  ending.abort()
  for (const one of opened) one.destroy()
  await Promise.all([first.stop(), second.stop()])
  await database.drop()
})

async function processesSeenBy(service: Service): Promise<number> {
  const text = await (await fetch(`${service.address('Metrics')}/metrics`)).text()
  return Number(/^parley_api_processes(?:\{.*\})? (\d+)$/m.exec(text)?.[1])
}

function tokenOf(userId: string): string {
  const now = Math.floor(Date.now() / 1_000)
  const claims = { id: userId, role: null, app_access: true, admin_access: false, iss: 'directus' }
  return forge(HS256_HEADER, { ...claims, iat: now, exp: now + 900 }, hmac(identitySecret))
}

async function openStream(url: string, project: string, token: string): Promise<number | undefined> {
  const sent = get(`${url}/api/v2/projects/${project}/stream`, {
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  }).on('error', () => {})
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  if (response.statusCode === 200) opened.push(sent)
  else response.resume()
  return response.statusCode
}

/** Begins a download, and reads no more than its beginning. */
async function beginDownload(url: string, path: string, owner: Caller): Promise<number> {
  const { status, body } = await fetch(`${url}${path}?format=zip`, {
    headers: { authorization: `Bearer ${owner.token}` },
    signal: ending.signal,
  })
  if (status === 200) await body?.getReader().read()
  return status
}

/** How many of the requests of one address are allowed. */
async function allowed(count: number, urls: string[]): Promise<number> {
  const headers = { authorization: 'Bearer a.b.c', 'x-forwarded-for': '198.51.100.7' }
  const send = async (n: number) =>
    (await request(`${urls[n % urls.length]}/api/v2/me`, 'GET', undefined, headers)).status
  const statuses = await Promise.all(Array.from({ length: count }, (_, n) => send(n)))
  return statuses.filter((status) => status === 401).length
}

/** Tries until it succeeds. No attempt that began later than promised is allowed to fail. Returns the seconds since the kill. */
async function untilFree(
  killedAt: number,
  what: string,
  attempt: () => Promise<boolean>,
  withinMs = FREE_WITHIN_MS,
): Promise<string> {
  for (;;) {
    const after = performance.now() - killedAt
    if (await attempt()) return `${what} ${(after / 1_000).toFixed(1)} s`
    assert.ok(after < withinMs, `${what}: still refused ${after} ms after the kill`)
    await pause(POLL_MS)
  }
}

test('what a killed process held is free after 10 seconds, and limits hold over the others within 10 %', async (t) => {
  for (const service of services)
    await until(
      () => processesSeenBy(service),
      (count) => count === 3,
    )
  const userId = newUser()
  const owner = callerOf(victim, userId, tokenOf(userId))
  const tenant = await newTenantOf(owner)
  const participants = `/api/participant/projects/${tenant.project}`
  const conversation = await newConversation({ backend: { url: victim }, url: `${victim}${participants}` })
  // More than sockets buffer, so that downloads last.
  const large = Buffer.concat([wavOf('large', 1), Buffer.alloc(20_000_000)])
  assert.equal((await conversation.send('PUT', '/chunks/0', large)).status, 201)
  const exported = await owner.post(`/api/v2/workspaces/${tenant.workspace}/export`, {})
  const zip = new URL(exported.body.url, victim).pathname

  // The process gets all streams and downloads, an upload, a request that calls a receiver, and a part of a rate limit.
  const streams = Array.from({ length: OPEN_STREAMS.user }, () =>
    openStream(victim, tenant.project, owner.token),
  )
  assert.deepEqual(new Set(await Promise.all(streams)), new Set([200]))
  for (let n = 0; n < DOWNLOADS_PER_WORKSPACE; n++) assert.equal(await beginDownload(victim, zip, owner), 200)
  const uploads = `/api/participant/conversations/${conversation.id}/uploads`
  const [tus, otherTus] = [victim, others[0]].map((url) =>
    tusClient(url, uploads, { 'x-participant-token': conversation.token }),
  ) as [ReturnType<typeof tusClient>, ReturnType<typeof tusClient>]
  const bytes = wavOf('In two processes', 10)
  const location = locationOf(await tus.begin(bytes.length))
  const sending = tus.startPatch(location, 0, bytes, 100_000).on('error', () => {})
  opened.push(sending)
  const uploadOwner = `${tenant.project}/${conversation.id}`
  await untilSize(fileOf({ filesFolder: join(folder, 'files') }, uploadOwner, location), 100_000)
  assert.equal((await otherTus.patch(location, 0, bytes)).status, 423)
  const receiver = await startReceiver()
  t.after(() => receiver.close())
  const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>()
  receiver.respond = (response) => void isAnswered.then(() => response.writeHead(204).end())
  const { id: webhook } = await newWebhook(tenant, { url: receiver.url })
  const sendTest = (url: string) =>
    callerOf(url, userId, owner.token).post(
      `${webhooksOf(tenant)}/${webhook}/test`,
      {},
      { 'idempotency-key': 'the-same' },
    )
  const lost = sendTest(victim).catch(() => 'no response')
  await receiver.got(1)
  const repeated = sendTest(others[1])

  assert.deepEqual(
    [await openStream(others[0], tenant.project, owner.token), await beginDownload(others[1], zip, owner)],
    [429, 429],
  )
  const spentFrom = performance.now()
  const before = await allowed(LIMIT / 2, [victim])
  killed.signalGroup('SIGKILL')
  await killed.gone
  const killedAt = performance.now()
  assert.equal(receiver.received.length, 1, 'the repeat waits')
  const later = await allowed(2 * LIMIT, others)
  const refilled = ((performance.now() - spentFrom) / 60_000) * LIMIT
  assert.equal(await lost, 'no response')

  const free = await Promise.all([
    untilFree(
      killedAt,
      'stream',
      async () => (await openStream(others[0], tenant.project, owner.token)) === 200,
    ),
    untilFree(killedAt, 'download', async () => (await beginDownload(others[1], zip, owner)) === 200),
    untilFree(killedAt, 'upload', async () => {
      const offset = Number((await otherTus.head(location)).headers.get('upload-offset') ?? Number.NaN)
      if (Number.isNaN(offset)) return false
      return (await otherTus.patch(location, offset, bytes.subarray(offset))).status === 204
    }),
    untilFree(
      killedAt,
      'idempotency key',
      async () => receiver.received.length === 2,
      FREE_WITHIN_MS + REQUEST_MS,
    ),
  ])
  t.diagnostic(`free after the kill: ${free.join(', ')}`)
  t.diagnostic(`allowed ${before} before and ${later} after, limit ${LIMIT}, ${refilled.toFixed(0)} refilled`)
  assert.ok(before + later >= 0.9 * LIMIT, `${before} and ${later} allowed`)
  assert.ok(
    before + later <= 1.1 * (LIMIT + refilled),
    `${before} and ${later} allowed, ${refilled} refilled`,
  )

  answer()
  const { status, text } = await repeated
  assert.equal(status, 200, text)
  assert.equal((await sendTest(others[0])).text, text)
  assert.equal(receiver.received.length, 2)

  // All of them, and no more.
  const more = Array.from({ length: OPEN_STREAMS.user + 5 }, (_, n) =>
    openStream(others[n % 2] as string, tenant.project, owner.token),
  )
  const statuses = await Promise.all(more)
  assert.equal(statuses.filter((one) => one === 200).length, OPEN_STREAMS.user - 1)
  assert.equal(await beginDownload(others[0], zip, owner), 200)
  assert.equal(await beginDownload(others[1], zip, owner), 429)
})
