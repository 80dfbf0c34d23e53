import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Client, clientOf } from '../access/client.ts'
import { idNamesOf, pathOf } from '../access/requests.ts'
import { type Ids, nobody, type Place, personOf, seedPlace } from '../access/world.ts'
import { type Reply, startBackend, type TestBackend } from '../support/backend.ts'
import fc from '../support/properties.ts'
import { arbitraryOf, type JsonSchema } from './from-schema.ts'

interface Operation {
  method: string
  path: string
  parameters: { name: string; in: string; schema: JsonSchema }[]
  body: JsonSchema | null
  statuses: Set<number>
}

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 40)

let backend: TestBackend
let client: Client
let send: Client['send']
let operations: Operation[]
let resolve: (ref: string) => JsonSchema

before(async () => {
  backend = await startBackend({ enqueues: true })
  client = clientOf(backend.url)
  ;({ send } = await personOf(backend, client, { ...nobody, staff: true }))
  const document = (await send('GET', '/api/openapi.json')).body
  resolve = (ref) => document.components.schemas[ref.replace('#/components/schemas/', '')]
  operations = operationsOf(document)
})
after(async () => {
  client.close()
  await backend.stop()
})

function operationsOf(document: { paths: Record<string, Record<string, OpenApiOperation>> }): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content['application/json']?.schema ?? null,
      statuses: new Set(Object.keys(operation.responses).map(Number)),
    })),
  )
}

interface OpenApiOperation {
  parameters?: Operation['parameters']
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, unknown>
}

/** Mostly what belongs there, so that requests get past the look-ups; else another thing's id, or none at all. */
const idFor = (name: keyof Ids, place: Place) =>
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
const cursorFor = (place: Place) =>
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
  body: string | undefined
  headers: Record<string, string>
}

function shotAt(operation: Operation, place: Place): fc.Arbitrary<Shot> {
  const name = `${operation.method} ${operation.path}`
  const queries = operation.parameters.filter((parameter) => parameter.in === 'query')
  const body = operation.body
    ? fc.oneof(
        { weight: 5, arbitrary: arbitraryOf(operation.body, resolve).map((value) => JSON.stringify(value)) },
        { weight: 1, arbitrary: bytes },
      )
    : fc.constant(undefined)
  return fc
    .record({
      ids: fc.record(Object.fromEntries(idNamesOf({ name }).map((key) => [key, idFor(key, place)]))),
      query: fc.record(
        Object.fromEntries(
          queries.map(({ name, schema }) => [
            name,
            name === 'cursor' ? cursorFor(place) : arbitraryOf(schema, resolve),
          ]),
        ),
        { requiredKeys: [] },
      ),
      body,
      mediaType,
      extra: fc.record(
        {
          'if-match': fc.constantFrom('*', '"x"', 'x', ''),
          'idempotency-key': fc.constantFrom('k', 'k2', ' ', 'ü'),
          'last-event-id': fc.constantFrom('', '0', 'x', ...keysNear(place.did)),
          'x-recorded-at': fc.constantFrom('', 'x', '0', '0000-01-01T00:00:00Z', '+275760-09-13T00:00:00Z'),
          'content-digest': fc.constantFrom('', 'x', 'sha-256=::', `sha-256=:${'A'.repeat(43)}=:`),
          accept: fc.constantFrom('text/markdown', '*/*', 'x', ''),
        },
        { requiredKeys: [] },
      ),
    })
    .map(({ ids, query, body, mediaType, extra }) => {
      const path = pathOf({ name }, { ...place, ...ids })
      const search = new URLSearchParams(
        Object.entries(query).map(([key, value]) => [key, queryText(value)] as [string, string]),
      ).toString()
      const headers = { ...(body === undefined ? {} : { 'content-type': mediaType }), ...extra }
      return { url: search ? `${path}?${search}` : path, body, headers }
    })
}

const queryText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Null where the client itself can't send it. */
async function fire(operation: Operation, { url, body, headers }: Shot): Promise<Reply | null> {
  try {
    return await send(operation.method, url, operation.method === 'GET' ? undefined : body, headers)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

test('no input to any documented route gets a 5xx or a status that the document does not name', async (t) => {
  let [fired, done] = [0, 0]
  const wrong: string[] = []
  for (const operation of operations) {
    // Of its own: what came before may have deleted things, or lowered a tier.
    const place = await seedPlace(backend)
    const run = await fc.check(
      fc.asyncProperty(shotAt(operation, place), async (shot) => {
        const reply = await fire(operation, shot)
        if (!reply) return
        fired++
        if (reply.status < 300) done++
        assert.ok(reply.status < 500, `${operation.method} ${shot.url}: ${reply.status} ${reply.text}`)
        const missed = reply.status === 404 && operation.path.includes('{')
        assert.ok(
          missed || operation.statuses.has(reply.status),
          `${operation.method} ${operation.path} answered ${reply.status}, which it does not declare`,
        )
        // Uploads have the refusals of tus beside ours.
        if (reply.status >= 400 && !operation.path.includes('/uploads'))
          assert.equal(reply.headers.get('content-type'), 'application/problem+json')
      }),
      { numRuns: RUNS },
    )
    if (run.failed) wrong.push(`${String(run.errorInstance)}: ${JSON.stringify(run.counterexample)}`)
  }
  assert.deepEqual(wrong, [])
  assert.ok(operations.length > 25)
  assert.equal((await send('GET', '/api/health')).status, 200)
  t.diagnostic(`${fired} requests to ${operations.length} operations, of which ${done} succeeded`)
})
