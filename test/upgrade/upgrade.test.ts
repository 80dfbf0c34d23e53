import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { callerOf, type Reply, request } from '../support/backend.ts'
import { installRelease } from '../support/release.ts'
import {
  newPassword,
  removeFolder,
  type Service,
  signIn,
  startService,
  takePort,
  temporaryFolder,
} from '../support/service.ts'
import { until } from '../support/webhooks.ts'

const ROOT = join(import.meta.dirname, '../..')
const SECRET = 'a secret that outlives the upgrade'
const RECORDING = join(ROOT, 'speech/samples/en-librivox-1.flac')

interface Received {
  eventId: string
  isSigned: boolean
}

let release: Awaited<ReturnType<typeof installRelease>>
let data: string
let receiver: Server
let port: string
let isReceiverUp = true
const received: Received[] = []
const password = newPassword()

before(async () => {
  release = await installRelease()
  data = await temporaryFolder()
  const free = await takePort()
  port = String(free.port)
  await free.release()
  receiver = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks)
      const signature = createHmac('sha256', SECRET).update(body).digest('hex')
      if (isReceiverUp)
        received.push({
          eventId: String(incoming.headers['webhook-id']),
          isSigned: incoming.headers['x-service-signature'] === signature,
        })
      response.writeHead(isReceiverUp ? 200 : 503).end()
    })
  }).listen(0, '127.0.0.1')
})
after(async () => {
  receiver.close()
  await removeFolder(release.folder)
  await removeFolder(data)
})

const start = (main?: string): Promise<Service> =>
  startService(data, {
    ...(main && { main }),
    environment: {
      ADMIN_PASSWORD: password,
      WEBHOOK_ALLOW_HTTP: 'on',
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.1',
      TIER_GATES: 'off',
      // The same port again, because links contain it.
      PORT: port,
    },
  })

async function stop(service: Service): Promise<void> {
  service.child.kill('SIGTERM')
  assert.equal((await service.ended).code, 0, service.output())
}

const signedIn = async (service: Service) =>
  callerOf(service.address('Backend'), 'admin', await signIn(service, password))

test('a data folder of version 0.1.0 keeps everything when this version starts on it', async () => {
  const old = await start(release.main)
  const before = await record(old)
  await stop(old)
  isReceiverUp = true

  const current = await start()
  const report = Object.keys(before.reads).find((path) => path.endsWith('format=md')) as string
  assert.ok(sentencesOf(before.reads[report]?.text ?? '').length > 2)
  const caller = await signedIn(current)
  for (const [path, { body, text }] of Object.entries(before.reads)) {
    const now = await caller.get(path)
    assert.equal(now.status, 200, path)
    if (body !== undefined) assert.partialDeepStrictEqual(now.body, withoutSegmentIds(body), path)
    else if (path.endsWith('format=md')) assert.deepEqual(sentencesOf(now.text), sentencesOf(text), path)
    else assert.equal(now.text, text, path)
  }

  // The delivery that failed under the old version succeeds under this one, signed by the stored secret.
  await until(
    async () => received.some(({ eventId }) => eventId === before.pendingEvent),
    (isThere) => isThere,
  )
  assert.ok(received.every(({ isSigned }) => isSigned))

  const next = await converse(current, before.project, 'What the new version records')
  const { text } = await finished(caller, next)
  assert.match(text, /"status":"done"/)
  await stop(current)
})

/** Segments have other ids since version 0.2.0. */
function withoutSegmentIds(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (key, value) => (key === 'segments' ? undefined : value))
}

/** The spoken sentences of a report, which end with a citation: layout and notes can change between versions. */
const sentencesOf = (report: string): string[] =>
  [...report.matchAll(/^(?:> )?“?([^[\n]+[.!?,])”? \\?\[/gm)].map(([, sentence = '']) => sentence)

/** Fills the service through its API and reads back what must survive. */
async function record(service: Service) {
  const caller = await signedIn(service)
  const created = async (path: string, body: object): Promise<string> => {
    const reply = await caller.post(path, body)
    assert.ok([201, 202].includes(reply.status), `${path}: ${reply.text}`)
    return String(reply.body.id)
  }
  const organisation = await created('/api/v2/organisations', { name: 'City of Delft' })
  const workspace = await created(`/api/v2/organisations/${organisation}/workspaces`, { name: 'Parks' })
  const project = await created(`/api/v2/workspaces/${workspace}/projects`, {
    name: 'A park for all',
    language: 'en',
    consent_text: 'We record you.',
  })
  const address = receiver.address() as AddressInfo
  const webhook = await created(`/api/projects/${project}/webhooks`, {
    url: `http://127.0.0.1:${address.port}/`,
    events: ['conversation.started', 'conversation.summarized'],
    secret: SECRET,
  })
  const spoken = await converse(service, project, await readFile(RECORDING))
  await finished(caller, spoken)
  const written = await converse(service, project, 'More benches in the park, please.')
  await finished(caller, written)
  const report = await created(`/api/v2/projects/${project}/reports`, { title: 'Parks', language: 'en' })
  await until(
    () => caller.get(`/api/v2/reports/${report}`),
    ({ body }) => body.status === 'ready',
  )
  await until(
    async () => received.length,
    (count) => count === 4,
  )
  const deliveries = `/api/projects/${project}/webhooks/${webhook}/deliveries`
  const succeeded = await until(
    () => caller.get(`${deliveries}?status=succeeded`),
    ({ body }) => body.data.length === 4,
  )
  isReceiverUp = false
  await converse(service, project, 'Said while the receiver was down')
  const pending = await until(
    () => caller.get(`${deliveries}?status=pending`),
    ({ body }) => body.data[0]?.attempts > 0,
  )
  const paths = [
    `/api/v2/organisations/${organisation}`,
    `/api/v2/organisations/${organisation}/audit`,
    `/api/v2/workspaces/${workspace}/members`,
    `/api/v2/projects/${project}`,
    `/api/v2/projects/${project}/conversations?q=benches`,
    `/api/v2/conversations/${spoken}`,
    `/api/v2/conversations/${spoken}/transcript?format=vtt`,
    `/api/v2/conversations/${spoken}/audio`,
    `/api/v2/conversations/${written}/transcript?format=json`,
    `/api/v2/reports/${report}?format=md`,
    `${deliveries}/${succeeded.body.data[0].id}`,
  ]
  const reads: Record<string, Reply> = {}
  for (const path of paths) {
    reads[path] = await until(
      () => caller.get(path),
      ({ status }) => status === 200,
    )
  }
  return { project, reads, pendingEvent: String(pending.body.data[0].event_id) }
}

/** A conversation of one recording or one text; returns its id. */
async function converse(service: Service, project: string, content: string | Buffer): Promise<string> {
  const api = `${service.address('Backend')}/api/participant`
  const { body } = await request(`${api}/projects/${project}/conversations`, 'POST', { consent: true })
  const own = `${api}/conversations/${body.id}`
  const headers = { 'x-participant-token': String(body.token) }
  const sent =
    typeof content === 'string'
      ? await request(`${own}/text`, 'POST', { content }, headers)
      : await request(`${own}/chunks/0`, 'PUT', content, { ...headers, 'content-type': 'audio/flac' })
  assert.equal(sent.status, 201, sent.text)
  await request(`${own}/finish`, 'POST', undefined, headers)
  return String(body.id)
}

const finished = (caller: ReturnType<typeof callerOf>, conversation: string): Promise<Reply> =>
  until(
    () => caller.get(`/api/v2/conversations/${conversation}`),
    ({ body }) => body.status === 'done',
  )
