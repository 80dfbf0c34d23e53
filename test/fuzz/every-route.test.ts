import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Client, clientOf } from '../access/client.ts'
import { type Ids, noRoles, personOf, type SeededTenant, seedTenant } from '../access/fixtures.ts'
import { idNamesOf, pathOf } from '../access/requests.ts'
import { type Reply, startBackend, type TestBackend } from '../support/backend.ts'
import { wavOf } from '../support/engines.ts'
import { type Contract, contractOf, type OpenApiDocument, type Operation } from '../support/openapi.ts'
import fc from '../support/properties.ts'
import { arbitraryOf, type JsonSchema } from './from-schema.ts'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 40)

let backend: TestBackend
let client: Client
let staff: Client['send']
let contract: Contract

before(async () => {
  backend = await startBackend({ enqueues: true })
  client = clientOf(backend.url)
  ;({ send: staff } = await personOf(backend, client, { ...noRoles, staff: true }))
  contract = contractOf((await staff('GET', '/api/openapi.json')).body as OpenApiDocument)
})
after(async () => {
  client.close()
  await backend.stop()
})

const resolve = (reference: string): JsonSchema => contract.resolve<JsonSchema>({ $ref: reference })

/** What a path can name beside the ids of a place: a participant's conversation has a token, and perhaps an upload. */
interface Target extends SeededTenant {
  uid: string
  seq: string
  token: string
}

const isParticipants = ({ path }: Operation): boolean => path.startsWith('/api/participant/')
const isUpload = ({ path }: Operation): boolean => path.includes('/uploads')

/** Of its own for each operation: what came before may have deleted things, or lowered a tier. */
async function targetFor(operation: Operation): Promise<Target> {
  const place = await seedTenant(backend)
  const target = { ...place, uid: place.eid, seq: '0', token: '' }
  if (isParticipants(operation)) {
    const started = await client.send('POST', `/api/participant/projects/${place.pid}/conversations`, {})
    Object.assign(target, { cid: started.body.id, token: started.body.token })
  }
  if (!operation.path.endsWith('/{uid}')) return target
  const uploads = pathOf({ name: `POST ${operation.path.replace('/{uid}', '')}` }, target)
  const begun = await senderFor(operation)('POST', uploads, undefined, {
    'tus-resumable': '1.0.0',
    'upload-length': '1000',
    'x-participant-token': target.token,
  })
  return { ...target, uid: begun.headers.get('location')?.split('/').at(-1) ?? '' }
}

const senderFor = (operation: Operation): Client['send'] => (isParticipants(operation) ? client.send : staff)

/** Mostly what belongs there, so that requests get past the look-ups; else another thing's id, or none at all. */
const idFor = (name: keyof Ids, place: Target) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(place[name]) },
    { weight: 1, arbitrary: fc.constantFrom(...Object.values(place)) },
    { weight: 1, arbitrary: fc.uuid() },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'x',
        '%00',
        '%2e%2e',
        '%ff',
        '%F0%9F%A6%9C',
        '%5C',
        'a'.repeat(600),
        '%zz',
        "'",
        '%2F',
        '*',
      ),
    },
  )

/** Shaped like those that lists hand out, with keys that they never did. */
const cursorFor = (place: SeededTenant) =>
  fc
    .oneof(
      fc.constantFrom(...keysNear(place.did)),
      fc.constantFrom(place.did, place.webhook, place.oid, place.user_id, 'x', '\0', ''),
      fc.string(),
    )
    .map((key) => Buffer.from(key).toString('base64url'))

/** Places in the order of events: before the first, after the last, and in no order at all. */
const keysNear = (id: string): string[] =>
  ['0', '1', '9'.repeat(19), '9'.repeat(20), '9'.repeat(21), '-1', '1e9', ''].map((xid) => `${xid}:${id}`)

const bytes = fc.constantFrom(
  '{',
  '[1,',
  '"\\ud800"',
  '{"a":1}}',
  'null',
  '[]',
  '0',
  '{"__proto__":{"a":1}}',
  '\u0000',
  `{"name":"${'x'.repeat(1_100_000)}"}`,
)
const mediaType = fc.oneof(
  { weight: 5, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'text/plain',
      'application/json; charset=utf-16',
      'multipart/form-data',
      '/',
      'application/json, text/html',
    ),
  },
)

interface Shot {
  url: string
  body: string | Uint8Array | undefined
  headers: Record<string, string>
}

const often = <T>(usual: T, ...others: T[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(usual) },
    { weight: 2, arbitrary: fc.constantFrom(usual, ...others) },
  )

const WAV = wavOf('fuzz')
const audio = fc.oneof(
  { weight: 4, arbitrary: fc.constant(WAV) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
)

/** Headers that any client may send anywhere. */
const anyHeaders = (place: Target) =>
  fc.record(
    {
      'if-match': fc.constantFrom('*', '"x"', 'x', ''),
      'if-none-match': fc.constantFrom('*', '"x"', 'W/"x", "y"', 'x', ''),
      'idempotency-key': fc.constantFrom('k', 'k2', ' ', 'ü', 'a-key-of-a-participant'),
      'last-event-id': fc.constantFrom('', '0', 'x', ...keysNear(place.did)),
      'x-recorded-at': fc.constantFrom('', 'x', '0', '0000-01-01T00:00:00Z', '+275760-09-13T00:00:00Z'),
      'content-digest': fc.constantFrom('', 'x', 'sha-256=::', `sha-256=:${'A'.repeat(43)}=:`),
      accept: fc.constantFrom('text/markdown', '*/*', 'x', ''),
      range: fc.constantFrom('bytes=0-1', 'bytes=99-', 'bytes=-1', 'bytes=0-0,2-3', 'x', ''),
      'if-range': fc.constantFrom('"x"', '"1-5"', ''),
      'x-padding': often('', 'x'.repeat(20_000)),
    },
    { requiredKeys: [] },
  )

const tusHeaders = fc.record(
  {
    'tus-resumable': often('1.0.0', '0.2.2', '', 'x'),
    'upload-length': often('1000', '0', '-1', 'x', '1e3', '99999999999999', ''),
    'upload-offset': often('0', '10', '-1', 'x', '99999999999', ''),
    'upload-defer-length': fc.constantFrom('1', '2', 'x', ''),
    'upload-metadata': fc.constantFrom(
      '',
      'title eA==',
      'title',
      'x y z',
      'started_at eA==',
      ',,',
      'tags W10=',
    ),
    'upload-concat': fc.constantFrom('partial', 'final;/a /b', 'x', ''),
  },
  { requiredKeys: ['tus-resumable'] },
)

const withToken = (operation: Operation, { token }: Target) =>
  isParticipants(operation)
    ? fc.oneof(
        { weight: 8, arbitrary: fc.constant({ 'x-participant-token': token }) },
        { weight: 1, arbitrary: fc.constantFrom({ 'x-participant-token': 'x' }, {}) },
      )
    : fc.constant({})

const OFFSET_STREAM = 'application/offset+octet-stream'

/** A body and its type: what the document declares, and now and then something else. */
function bodyFor(operation: Operation): fc.Arbitrary<Pick<Shot, 'body' | 'headers'>> {
  const { method, operation: described } = operation
  const none = fc.constant({ body: undefined, headers: {} })
  if (method === 'GET' || method === 'HEAD') return none
  const typed = (body: fc.Arbitrary<Shot['body']>, type: fc.Arbitrary<string>) =>
    fc.record({ body, type }).map(({ body, type }) => ({ body, headers: { 'content-type': type } }))
  const json = described.requestBody?.content['application/json']?.schema
  const text = json
    ? arbitraryOf(json, resolve).map((value) => JSON.stringify(value) ?? '')
    : fc.constant('{}')
  const stray = typed(fc.oneof({ weight: 3, arbitrary: text }, { weight: 2, arbitrary: bytes }), mediaType)
  if (isUpload(operation) || operation.path.endsWith('/chunks/{seq}')) {
    const own = isUpload(operation) ? OFFSET_STREAM : 'audio/wav'
    const raw = typed(audio, often(own, 'audio/wav', OFFSET_STREAM, 'text/plain', 'audio/', 'AUDIO/WEBM'))
    return fc.oneof(
      { weight: 6, arbitrary: raw },
      { weight: 2, arbitrary: none },
      { weight: 1, arbitrary: stray },
    )
  }
  return fc.oneof({ weight: json ? 6 : 2, arbitrary: stray }, { weight: json ? 1 : 4, arbitrary: none })
}

function shotAt(operation: Operation, place: Target): fc.Arbitrary<Shot> {
  const name = `${operation.method} ${operation.path}`
  const queries = operation.parameters.filter((parameter) => parameter.in === 'query')
  return fc
    .record({
      ids: fc.record(Object.fromEntries(idNamesOf({ name }).map((key) => [key, idFor(key, place)]))),
      query: fc.record(
        Object.fromEntries(
          queries.map(({ name, schema }) => [
            name,
            name === 'cursor' ? cursorFor(place) : arbitraryOf(schema as JsonSchema, resolve),
          ]),
        ),
        { requiredKeys: [] },
      ),
      content: bodyFor(operation),
      token: withToken(operation, place),
      tus: isUpload(operation) ? tusHeaders : fc.constant({}),
      extra: anyHeaders(place),
    })
    .map(({ ids, query, content, token, tus, extra }) => {
      const path = pathOf({ name }, { ...place, ...ids })
      const search = new URLSearchParams(
        Object.entries(query).map(([key, value]) => [key, queryText(value)] as [string, string]),
      ).toString()
      const headers = { ...content.headers, ...token, ...tus, ...extra } as Record<string, string>
      return { url: search ? `${path}?${search}` : path, body: content.body, headers }
    })
}

const queryText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Null where the client itself can't send it. */
async function fire(operation: Operation, { url, body, headers }: Shot): Promise<Reply | null> {
  try {
    return await senderFor(operation)(operation.method, url, body, headers)
  } catch (error) {
    if (error instanceof TypeError || isReset(error)) return null
    throw error
  }
}

/** An upload that is refused before its end closes the connection; what was answered may be lost then. */
const isReset = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE'].includes((error as { code?: string }).code ?? '')

const shortened = (counterexample: unknown): string =>
  JSON.stringify(counterexample, (_key, value) =>
    value?.type === 'Buffer'
      ? `${value.data.length} bytes`
      : typeof value === 'string'
        ? value.slice(0, 200)
        : value,
  )

/** Far more than it takes: thousands of requests, one after the other, on a machine that is busy. */
const HANGS = { timeout: 600_000 }

test(
  'every response to any input is declared in the OpenAPI document: status, type and body',
  HANGS,
  async (t) => {
    let [fired, done] = [0, 0]
    const wrong: string[] = []
    for (const operation of contract.operations) {
      const { method, path } = operation
      const target = await targetFor(operation)
      const run = await fc.check(
        fc.asyncProperty(shotAt(operation, target), async (shot) => {
          const reply = await fire(operation, shot)
          if (!reply) return
          fired++
          if (reply.status < 300) done++
          assert.ok(reply.status < 500, `${method} ${shot.url}: ${reply.status} ${reply.text}`)
          const undeclared = contract.undeclared(operation, reply)
          assert.equal(undeclared, null, `${method} ${path}: ${undeclared}`)
        }),
        { numRuns: RUNS },
      )
      if (run.failed) wrong.push(`${(run.errorInstance as Error).message}: ${shortened(run.counterexample)}`)
    }
    assert.deepEqual(wrong, [])
    assert.ok(contract.operations.length > 80)
    assert.equal((await staff('GET', '/api/health')).status, 200)
    t.diagnostic(`${fired} requests to ${contract.operations.length} operations, of which ${done} succeeded`)
  },
)
