import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Ids, type Person, type SeededTenant, seedTenant } from '../access/fixtures.ts'
import { idNamesOf, pathOf } from '../access/requests.ts'
import { anonymous, backend, staff } from '../access/service.ts'
import type { Reply } from '../support/backend.ts'
import { wavOf } from '../support/engines.ts'
import { contractOf, type OpenApiDocument, type Operation } from '../support/openapi.ts'
import fc from '../support/properties.ts'
import { arbitraryOf, type JsonSchema, weighted } from './from-schema.ts'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 20)

const document = await staff.send('GET', '/api/openapi.json')
const contract = contractOf(document.body as OpenApiDocument)

const resolve = (reference: string): JsonSchema => contract.resolve<JsonSchema>({ $ref: reference })

/** The ids that a path can contain, and the token of the participant. */
interface Target extends SeededTenant {
  uid: string
  seq: string
  token: string
}

const isParticipants = ({ path }: Operation): boolean => path.startsWith('/api/participant/')
const isUpload = ({ path }: Operation): boolean => path.includes('/uploads')

/** New for each operation, because requests delete records and change tiers. */
async function targetFor(operation: Operation): Promise<Target> {
  const tenant = await seedTenant(backend)
  const target = { ...tenant, uid: tenant.eid, seq: '0', token: '' }
  if (isParticipants(operation)) {
    const started = await anonymous.send('POST', `/api/participant/projects/${tenant.pid}/conversations`, {})
    Object.assign(target, { cid: started.body.id, token: started.body.token })
  }
  if (!operation.path.endsWith('/{uid}')) return target
  const uploads = pathOf({ name: `POST ${operation.path.replace('/{uid}', '')}` }, target)
  const begun = await senderOf(operation)('POST', uploads, undefined, {
    'tus-resumable': '1.0.0',
    'upload-length': '1000',
    'x-participant-token': target.token,
  })
  return { ...target, uid: begun.headers.get('location')?.split('/').at(-1) ?? '' }
}

const senderOf = (operation: Operation): Person['send'] =>
  (isParticipants(operation) ? anonymous : staff).send

/** Mostly the right id, so that requests find their records; sometimes the id of another record, or of none. */
const idFor = (name: keyof Ids, target: Target) =>
  weighted(
    [8, fc.constant(target[name])],
    [1, fc.constantFrom(...Object.values(target))],
    [1, fc.uuid()],
    [1, fc.constantFrom(..."x %00 %2e%2e %ff %F0%9F%A6%9C %5C %zz ' %2F *".split(' '), 'a'.repeat(600))],
  )

/** Cursors in the form of the lists, with keys that no list returned. */
const cursorFor = ({ did, webhook, oid, user_id }: SeededTenant) =>
  fc
    .oneof(
      fc.constantFrom(...keysNear(did)),
      fc.constantFrom(did, webhook, oid, user_id, 'x', '\0', ''),
      fc.string(),
    )
    .map((key) => Buffer.from(key).toString('base64url'))

/** Positions in the event feed: before the first, after the last, and invalid ones. */
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
const mediaType = weighted(
  [5, fc.constant('application/json')],
  [
    1,
    fc.constantFrom(
      'text/plain',
      'application/json; charset=utf-16',
      'multipart/form-data',
      '/',
      'application/json, text/html',
    ),
  ],
)

interface FuzzRequest {
  url: string
  body: string | Uint8Array | undefined
  headers: Record<string, string>
}

const often = <T>(usual: T, ...others: T[]) =>
  weighted([6, fc.constant(usual)], [2, fc.constantFrom(usual, ...others)])

const audio = weighted([4, fc.constant(wavOf('fuzz'))], [1, fc.uint8Array({ maxLength: 200 })])

/** Headers that any client can send to any route. */
const anyHeaders = ({ did }: Target) =>
  fc.record(
    {
      'if-match': fc.constantFrom('*', '"x"', 'x', ''),
      'if-none-match': fc.constantFrom('*', '"x"', 'W/"x", "y"', 'x', ''),
      'idempotency-key': fc.constantFrom('k', 'k2', ' ', 'ü', 'a-key-of-a-participant'),
      'last-event-id': fc.constantFrom('', '0', 'x', ...keysNear(did)),
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
    ? weighted(
        [8, fc.constant({ 'x-participant-token': token })],
        [1, fc.constantFrom({ 'x-participant-token': 'x' }, {})],
      )
    : fc.constant({})

const OFFSET_STREAM = 'application/offset+octet-stream'

/** A body and its type: mostly as the document declares, sometimes not. */
function bodyFor(operation: Operation): fc.Arbitrary<Pick<FuzzRequest, 'body' | 'headers'>> {
  const { method, operation: described } = operation
  const none = fc.constant({ body: undefined, headers: {} })
  if (method === 'GET' || method === 'HEAD') return none
  const typed = (body: fc.Arbitrary<FuzzRequest['body']>, type: fc.Arbitrary<string>) =>
    fc.record({ body, type }).map(({ body, type }) => ({ body, headers: { 'content-type': type } }))
  const json = described.requestBody?.content['application/json']?.schema
  const text = json
    ? arbitraryOf(json, resolve).map((value) => JSON.stringify(value) ?? '')
    : fc.constant('{}')
  const other = typed(weighted([3, text], [2, bytes]), mediaType)
  if (isUpload(operation) || operation.path.endsWith('/chunks/{seq}')) {
    const own = isUpload(operation) ? OFFSET_STREAM : 'audio/wav'
    const raw = typed(audio, often(own, 'audio/wav', OFFSET_STREAM, 'text/plain', 'audio/', 'AUDIO/WEBM'))
    return weighted([6, raw], [2, none], [1, other])
  }
  return json ? weighted([6, other], [1, none]) : weighted([2, other], [4, none])
}

function requestTo(operation: Operation, target: Target): fc.Arbitrary<FuzzRequest> {
  const name = `${operation.method} ${operation.path}`
  const queries = operation.parameters.filter((parameter) => parameter.in === 'query')
  return fc
    .record({
      ids: fc.record(Object.fromEntries(idNamesOf({ name }).map((key) => [key, idFor(key, target)]))),
      query: fc.record(
        Object.fromEntries(
          queries.map(({ name, schema }) => [
            name,
            name === 'cursor' ? cursorFor(target) : arbitraryOf(schema as JsonSchema, resolve),
          ]),
        ),
        { requiredKeys: [] },
      ),
      content: bodyFor(operation),
      token: withToken(operation, target),
      tus: isUpload(operation) ? tusHeaders : fc.constant({}),
      extra: anyHeaders(target),
    })
    .map(({ ids, query, content, token, tus, extra }) => {
      const path = pathOf({ name }, { ...target, ...ids })
      const search = new URLSearchParams(
        Object.entries(query).map(([key, value]) => [key, queryText(value)] as [string, string]),
      ).toString()
      const headers = { ...content.headers, ...token, ...tus, ...extra } as Record<string, string>
      return { url: search ? `${path}?${search}` : path, body: content.body, headers }
    })
}

const queryText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Null if the client cannot send it. */
async function send(operation: Operation, { url, body, headers }: FuzzRequest): Promise<Reply | null> {
  try {
    return await senderOf(operation)(operation.method, url, body, headers)
  } catch (error) {
    if (error instanceof TypeError || isReset(error)) return null
    throw error
  }
}

/** The service closes the connection of an upload that it rejects before its end; the response can be lost then. */
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

/** Thousands of requests, one after the other, on a busy machine. */
const GENEROUS = { timeout: 600_000 }

test(
  'every response to any input is declared in the OpenAPI document: status, type and body',
  GENEROUS,
  async (t) => {
    let [sent, succeeded] = [0, 0]
    const wrong: string[] = []
    for (const operation of contract.operations) {
      const { method, path } = operation
      const target = await targetFor(operation)
      const run = await fc.check(
        fc.asyncProperty(requestTo(operation, target), async (request) => {
          const reply = await send(operation, request)
          if (!reply) return
          sent++
          if (reply.status < 300) succeeded++
          assert.ok(reply.status < 500, `${method} ${request.url}: ${reply.status} ${reply.text}`)
          const undeclared = contract.undeclared(operation, reply)
          assert.equal(undeclared, null, `${method} ${path}: ${undeclared}`)
        }),
        { numRuns: RUNS },
      )
      if (run.failed) wrong.push(`${(run.errorInstance as Error).message}: ${shortened(run.counterexample)}`)
    }
    assert.deepEqual(wrong, [])
    assert.ok(contract.operations.length > 80)
    assert.equal((await staff.send('GET', '/api/health')).status, 200)
    t.diagnostic(
      `${sent} requests to ${contract.operations.length} operations, of which ${succeeded} succeeded`,
    )
  },
)
