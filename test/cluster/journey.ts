import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type ApiRequest, type ApiResponse, sendRequest } from '../chaos/framework/api-client.ts'
import type { Fixtures } from '../chaos/framework/fixtures.ts'
import { importExample, recordAsDocumented } from '../support/documents.ts'
import { startReceiver } from '../support/receiver.ts'
import { startEventStreams } from './event-streams.ts'

const SOUND = join(import.meta.dirname, '../../speech/samples/containers/clip.flac')
/** Shorter than most freezes. */
const TIMEOUT_MS = 5_000
const RETRY_MS = 200
const TUS = { 'tus-resumable': '1.0.0' }
const EVENTS = ['conversation.started', 'conversation.transcribed', 'conversation.summarized']

type Send = (method: string, path: string, expected: number[], request?: ApiRequest) => Promise<ApiResponse>

/** How often a request was repeated, by reason. */
export type Retries = Map<string, number>

/**
 * Acts as participants, a host and an integration through the API, from an organisation to the deletion of its project. Checks
 * that everything exists once, that the webhook and the event stream have every event, and that what was erased is gone.
 */
export async function takeJourney(fixtures: Fixtures, token: string, retries: Retries): Promise<void> {
  const since = new Date()
  const send = createSender(fixtures, retries)
  const host = createSender(fixtures, retries, { authorization: `Bearer ${token}` })
  const create = async (path: string, json: object) => (await host('POST', path, [201, 202], { json })).body
  const list = async (path: string) => (await host('GET', path, [200])).body.data as { id: string }[]
  const until = async (path: string, status: string) => {
    for (;;) {
      const { body } = await host('GET', path, [200])
      if (body.status === status) return body
      assert.notEqual(body.status, 'failed', JSON.stringify(body))
      await pause(RETRY_MS)
    }
  }
  const receiver = await startReceiver()
  try {
    const organisation = (await create('/api/v2/organisations', { name: 'Journey' })).id
    const workspaces = `/api/v2/organisations/${organisation}/workspaces`
    const workspace = (await create(workspaces, { name: 'Journey' })).id
    await host('PUT', `/api/v2/admin/workspaces/${workspace}/tier`, [200], {
      json: { tier: 'guardian', reason: 'A journey' },
    })
    const projects = `/api/v2/workspaces/${workspace}/projects`
    const project = (await create(projects, { name: 'Journey', language: 'en' })).id
    const hooks = `/api/projects/${project}/webhooks`
    const events = [...EVENTS, 'report.generated']
    const { secret } = await create(hooks, { url: receiver.url, events, generate_secret: true })
    const streams = startEventStreams(
      fixtures,
      { authorization: async () => `Bearer ${token}` },
      [project],
      since,
    )

    const spoken = await record(send, project, 'finish')
    const uploaded = await upload(host, `/api/v2/projects/${project}/uploads`)
    const withdrawn = await record(send, project, 'withdraw')
    const { id: documented } = await recordAsDocumented(fixtures.apiUrl ?? '', project)
    const done = [spoken, uploaded, documented]
    for (const id of done) {
      const conversation = await until(`/api/v2/conversations/${id}`, 'done')
      assert.equal(conversation.missing_seconds, 0)
      const { text } = await host('GET', `/api/v2/conversations/${id}/transcript?format=txt`, [200])
      assert.match(text, /^Title: [\s\S]*\[00:00:0/)
      assert.doesNotMatch(text, /audio missing/)
    }
    const report = (await create(`/api/v2/projects/${project}/reports`, { title: 'Journey', language: 'en' }))
      .id
    await until(`/api/v2/reports/${report}`, 'ready')
    const exported = await create(`/api/v2/workspaces/${workspace}/export`, {})
    await download(fixtures, exported.url, token, retries)

    assert.deepEqual(
      [
        await list(workspaces),
        await list(projects),
        await list(`/api/v2/projects/${project}/conversations`),
        await list(`/api/v2/projects/${project}/reports`),
      ].map((all) => all.map(({ id }) => id).toSorted()),
      [[workspace], [project], done.toSorted(), [report]],
    )
    await host('GET', `/api/v2/conversations/${withdrawn}`, [404])

    const expected = [
      ...done.flatMap((id) => EVENTS.map((type) => `${type} ${id}`)),
      `report.generated ${report}`,
    ]
    const { isGenuine } = await importExample('docs/webhooks.md', (code) => `${code}\nexport { isGenuine }`)
    for (let count = expected.length; ; count++) {
      const requests = await receiver.got(count)
      for (const { body, headers } of requests)
        assert.ok(isGenuine(body, headers, secret), 'a wrong signature')
      const got = new Set(requests.map(({ body }) => nameOf(JSON.parse(body.toString()))))
      if (expected.every((name) => got.has(name))) break
    }
    await streams.catchUp()
    for (const [what, found] of Object.entries(streams.check().violations)) assert.deepEqual(found, [], what)

    await host('DELETE', `/api/v2/projects/${project}`, [204, 404])
    await host('GET', `/api/v2/projects/${project}`, [404])
  } finally {
    await receiver.close()
  }
}

const nameOf = ({ type, data }: { type: string; data: Record<string, string> }): string =>
  `${type} ${data['conversation_id'] ?? data['report_id']}`

async function record(send: Send, project: string, ending: 'finish' | 'withdraw'): Promise<string> {
  const started = await send('POST', `/api/participant/projects/${project}/conversations`, [201], {
    json: { participant_name: 'Grace' },
  })
  const { id, token } = started.body
  const path = `/api/participant/conversations/${id}`
  const headers = { 'x-participant-token': token }
  const sound = await readFile(SOUND)
  const half = Math.floor(sound.length / 2)
  for (const [seq, bytes] of [sound.subarray(0, half), sound.subarray(half)].entries())
    await send('PUT', `${path}/chunks/${seq}`, [200, 201], {
      bytes,
      headers: { ...headers, 'content-type': 'audio/flac' },
    })
  await send('POST', `${path}/text`, [201], { json: { content: 'More benches, please.' }, headers })
  if (ending === 'withdraw') await send('DELETE', path, [204, 404], { headers })
  else await send('POST', `${path}/finish`, [202], { json: { chunks: 2 }, headers })
  return id
}

/** By tus in three requests, each from the offset that the service has. Returns the id of the conversation. */
async function upload(host: Send, uploads: string): Promise<string> {
  const sound = await readFile(SOUND)
  const created = await host('POST', uploads, [201], {
    headers: { ...TUS, 'upload-length': String(sound.length) },
  })
  const { pathname } = new URL(created.headers.get('location') ?? '', 'http://service')
  for (;;) {
    const { headers } = await host('HEAD', pathname, [200], { headers: TUS })
    const id = headers.get('x-conversation-id')
    if (id !== null) return id
    const offset = Number(headers.get('upload-offset'))
    await host('PATCH', pathname, [204, 409], {
      headers: {
        ...TUS,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
      },
      bytes: sound.subarray(offset, offset + Math.ceil(sound.length / 3)),
    })
  }
}

const END_OF_ZIP = Buffer.from([0x50, 0x4b, 0x05, 0x06])

/** A download that ends early is repeated. */
async function download(fixtures: Fixtures, url: string, token: string, retries: Retries): Promise<void> {
  const path = url.replace(/^https?:\/\/[^/]+/, '')
  for (;;) {
    const response = await fetch(`${fixtures.apiUrl}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(4 * TIMEOUT_MS),
    }).catch(() => null)
    const bytes = await response?.bytes().catch(() => null)
    if (response?.ok && bytes) {
      assert.ok(Buffer.from(bytes).includes(END_OF_ZIP), 'a zip file without an end')
      return
    }
    assert.ok(!response || response.ok || [429, 503].includes(response.status), `${response?.status}`)
    countRetry(retries, response?.ok || !response ? 'no response' : String(response.status))
    await pause(RETRY_MS)
  }
}

/** Repeats what the documents tell clients to repeat, a POST with the same Idempotency-Key. */
function createSender(fixtures: Fixtures, retries: Retries, credential: Record<string, string> = {}): Send {
  return async (method, path, expected, request = {}) => {
    const headers = {
      ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}),
      ...credential,
      ...request.headers,
    }
    for (;;) {
      const url = `${fixtures.apiUrl}${path}`
      const response = await sendRequest(method, url, { ...request, headers }, TIMEOUT_MS)
      const { status, body } = response
      if (expected.includes(status)) return response
      // 423: the process that served an upload was killed, and its lock ends with its lease.
      assert.ok([0, 423, 503].includes(status), `${method} ${path}: ${status} ${JSON.stringify(body)}`)
      countRetry(retries, status === 0 ? 'no response' : String(status))
      await pause(RETRY_MS)
    }
  }
}

export const countRetry = (retries: Retries, reason: string): void =>
  void retries.set(reason, (retries.get(reason) ?? 0) + 1)
