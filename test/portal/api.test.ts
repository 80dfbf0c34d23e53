import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { after, test } from 'node:test'
import type * as server from '../../server/conversations/participant/schema.ts'
import * as api from '../../web/portal/api.ts'
import { type Reply, request, startBackend } from '../support/backend.ts'
import { newPortal } from '../support/conversations.ts'
import { wavOf } from '../support/engines.ts'
import { contractOf, type Operation } from '../support/openapi.ts'

type Output<Schema extends { _zod: { output: unknown } }> = Schema['_zod']['output']
type Input<Schema extends { _zod: { input: unknown } }> = Schema['_zod']['input']

/** Fails the type check where the page reads a field that the server does not send, or sends one that it does not accept. */
type Accepts<Expected, _Given extends Expected> = true
export type TypesAgree = [
  Accepts<api.Project, Output<typeof server.Portal>>,
  Accepts<api.Started, Output<typeof server.StartedConversation>>,
  Accepts<api.Progress, Output<typeof server.ConversationProgress>>,
  Accepts<Input<typeof server.StartConversation>, Required<api.Answers>>,
  // Nothing that the page sends is unknown: the server refuses unknown fields.
  Accepts<keyof Input<typeof server.StartConversation>, keyof api.Answers>,
]

const backend = await startBackend({ enqueues: true })
const portal = await newPortal(backend, { ask_name: true, tags: ['north'], consent_text: 'I agree.' })
const contract = contractOf((await request(`${backend.url}/api/openapi.json`, 'GET')).body)

interface Exchange {
  method: string
  path: string
  query: URLSearchParams
  headers: Headers
  body: unknown
  reply: Reply
}

/** Requests of the page's functions, which were called here with the `fetch` of a browser on this server. */
const exchanges: Exchange[] = []
const ownFetch = globalThis.fetch
globalThis.fetch = async (path, init = {}) => {
  const url = new URL(path instanceof Request ? path.url : path, backend.url)
  const response = await ownFetch(url, init)
  const text = await response.clone().text()
  exchanges.push({
    method: init.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: new Headers(init.headers),
    body: typeof init.body === 'string' ? JSON.parse(init.body) : init.body,
    reply: {
      status: response.status,
      headers: response.headers,
      text,
      body: text.startsWith('{') ? JSON.parse(text) : undefined,
    },
  })
  return response
}
after(async () => {
  globalThis.fetch = ownFetch
  await backend.stop()
})

/** Calls a function of the page, and remembers that it was. */
const called = new Set<string>()
const functions = { ...api }
function call<Name extends keyof typeof api>(name: Name): (typeof api)[Name] {
  called.add(name)
  return functions[name]
}

const operationOf = ({ method, path }: Exchange): Operation => {
  const matches = (template: string) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
  const found = contract.operations.find((one) => one.method === method && matches(one.path))
  assert.ok(found, `${method} ${path} is not in the OpenAPI document`)
  return found
}

/** Headers that every request can have, which the document does not repeat. */
const COMMON = new Set(['content-type', 'x-participant-token', 'idempotency-key'])

function assertDeclared(exchange: Exchange): void {
  const operation = operationOf(exchange)
  const at = `${operation.method} ${operation.path}`
  const named = (kind: string) =>
    operation.parameters.filter((one) => one.in === kind).map(({ name }) => name.toLowerCase())
  for (const name of exchange.query.keys()) assert.ok(named('query').includes(name), `${at}?${name}`)
  for (const name of exchange.headers.keys())
    assert.ok(COMMON.has(name) || named('header').includes(name), `${at}: ${name}`)
  const type = (exchange.headers.get('content-type') ?? '').split(';')[0] ?? ''
  const { requestBody } = operation.operation
  if (exchange.body !== undefined) {
    const types = Object.keys(requestBody?.content ?? {})
    assert.ok(
      types.some((one) => one === type || (one === 'audio/*' && type.startsWith('audio/'))),
      `${at}: ${type}`,
    )
    if (type === 'application/json') {
      const schema = ['paths', operation.path, operation.method.toLowerCase(), 'requestBody']
      assert.equal(contract.errorsAt([...schema, 'content', type, 'schema'], exchange.body), null, at)
    }
  }
  assert.equal(contract.undeclared(operation, exchange.reply), null, at)
}

test('every request of the page, and every response to it, is as the OpenAPI document says', async () => {
  const project = await call('readProject')(portal.projectId)
  assert.deepEqual([project.id, project.tags], [portal.projectId, ['north']])
  const answers: Required<api.Answers> = {
    participant_name: 'Ada',
    participant_email: 'ada@example.org',
    tags: project.tags,
    language: 'en',
    consent: true,
  }
  const key = randomUUID()
  const started = await call('startConversation')(project.id, answers, key)
  assert.deepEqual(await api.startConversation(project.id, answers, key), started)
  const { signal } = new AbortController()
  const audio = new Blob([new Uint8Array(wavOf('hello'))], { type: 'audio/wav' })
  await call('sendChunk')(started, 0, audio, new Date(), signal)
  await api.sendChunk(started, 2, audio, new Date(), signal)
  // A request that is over leaves nothing on the signal of the recording, which would keep its audio in memory.
  assert.deepEqual(getEventListeners(signal, 'abort'), [])
  await call('sendText')(started, 'typed words', randomUUID())
  await call('sendHeartbeat')(started, true)
  const progress = await call('readProgress')(started)
  assert.deepEqual([progress.status, progress.missing], ['recording', [1]])
  assert.match(progress.transcript_so_far, /typed words/)
  assert.deepEqual(await call('finishConversation')(started, 3), [1])
  assert.deepEqual(await api.finishConversation(started, 3, undefined, true), [])
  await call('withdraw')(started)
  await assert.rejects(
    api.readProgress(started),
    (error) => error instanceof api.RequestRejected && error.status === 404,
  )
  const refused = { ...started, token: 'wrong' }
  await assert.rejects(api.sendHeartbeat(refused, true), (error) => error instanceof api.RequestRejected)
  await assert.rejects(api.startConversation(project.id, {}, randomUUID()), /consent_required/)

  assert.ok(exchanges.length > 12)
  for (const exchange of exchanges) assertDeclared(exchange)
  const isFunction = (value: unknown) => typeof value === 'function' && !String(value).startsWith('class')
  const exported = Object.entries(functions).flatMap(([name, value]) => (isFunction(value) ? [name] : []))
  assert.deepEqual(exported.toSorted(), [...called].toSorted())
})

test('a token is in no address, and only in its header', () => {
  const tokens = exchanges.flatMap(({ reply }) => reply.body?.token ?? [])
  assert.ok(tokens.length > 0)
  for (const { path, query, headers, body } of exchanges) {
    const others = [...headers].filter(([name]) => name !== 'x-participant-token')
    const sent = JSON.stringify([path, [...query], others, body])
    for (const token of tokens) assert.ok(!sent.includes(token), path)
  }
})
