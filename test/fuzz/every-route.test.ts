import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Caller, newUser, type Reply, startBackend, type TestBackend } from '../support/backend.ts'
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
let caller: Caller
let operations: Operation[]
let resolve: (ref: string) => JsonSchema
/** Ids that exist, so that requests get past the first look-up. */
let known: string[]

before(async () => {
  backend = await startBackend()
  caller = await backend.as(newUser(), { admin_access: true })
  const document = (await caller.get('/api/openapi.json')).body
  resolve = (ref) => document.components.schemas[ref.replace('#/components/schemas/', '')]
  operations = operationsOf(document)
  known = await seed()
})
after(() => backend.stop())

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

async function seed(): Promise<string[]> {
  const organisation = (await caller.post('/api/v2/organisations', { name: 'Fuzz' })).body.id
  const workspace = (await caller.post(`/api/v2/organisations/${organisation}/workspaces`, { name: 'Fuzz' }))
    .body.id
  const project = (await caller.post(`/api/v2/workspaces/${workspace}/projects`, { name: 'Fuzz' })).body.id
  return [organisation, workspace, project, caller.userId]
}

const segment = () =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known) },
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

function shotAt(operation: Operation): fc.Arbitrary<Shot> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)
  const queries = operation.parameters.filter((parameter) => parameter.in === 'query')
  const body = operation.body
    ? fc.oneof(
        { weight: 5, arbitrary: arbitraryOf(operation.body, resolve).map((value) => JSON.stringify(value)) },
        { weight: 1, arbitrary: bytes },
      )
    : fc.constant(undefined)
  return fc
    .record({
      segments: fc.tuple(...names.map(segment)),
      query: fc.record(
        Object.fromEntries(queries.map(({ name, schema }) => [name, arbitraryOf(schema, resolve)])),
        { requiredKeys: [] },
      ),
      body,
      mediaType,
      extra: fc.record(
        {
          'if-match': fc.constantFrom('*', '"x"', 'x', ''),
          'idempotency-key': fc.constantFrom('k', 'k2', ' ', 'ü'),
        },
        { requiredKeys: [] },
      ),
    })
    .map(({ segments, query, body, mediaType, extra }) => {
      const path = names.reduce(
        (url, name, index) => url.replace(`{${name}}`, segments[index] as string),
        operation.path,
      )
      const search = new URLSearchParams(
        Object.entries(query).map(([key, value]) => [key, String(value)] as [string, string]),
      ).toString()
      const headers = { ...(body === undefined ? {} : { 'content-type': mediaType }), ...extra }
      return { url: search ? `${path}?${search}` : path, body, headers }
    })
}

/** Null where the client itself can't send it. */
async function fire(operation: Operation, { url, body, headers }: Shot): Promise<Reply | null> {
  try {
    return await caller.send(operation.method, url, operation.method === 'GET' ? undefined : body, headers)
  } catch (error) {
    if (error instanceof TypeError && !String(error.cause).includes('ECONN')) return null
    throw error
  }
}

test('no input to any documented route gets a 5xx or a status that the document does not name', async (t) => {
  let fired = 0
  for (const operation of operations) {
    await fc.assert(
      fc.asyncProperty(shotAt(operation), async (shot) => {
        const reply = await fire(operation, shot)
        if (!reply) return
        fired++
        assert.ok(reply.status < 500, `${operation.method} ${shot.url}: ${reply.status} ${reply.text}`)
        const missed = reply.status === 404 && operation.path.includes('{')
        assert.ok(
          missed || operation.statuses.has(reply.status),
          `${operation.method} ${operation.path} answered ${reply.status}, which it does not declare`,
        )
        if (reply.status >= 400) assert.equal(reply.headers.get('content-type'), 'application/problem+json')
      }),
      { numRuns: RUNS },
    )
  }
  assert.ok(operations.length > 25)
  assert.equal((await caller.get('/api/health')).status, 200)
  t.diagnostic(`${fired} requests to ${operations.length} operations`)
})
