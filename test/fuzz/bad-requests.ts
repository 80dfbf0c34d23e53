import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { test } from 'node:test'
import { backend, stranger as caller, owner, tenant } from '../access/service.ts'

/** The response to exactly these bytes. */
async function sendBytes(bytes: string | Buffer): Promise<string> {
  const socket = createConnection(Number(new URL(backend.url).port), '127.0.0.1')
  let response = ''
  socket.on('data', (data) => (response += data))
  socket.on('error', () => {})
  socket.end(bytes)
  await once(socket, 'close')
  return response
}

const head = (line: string, ...headers: string[]) =>
  `${[line, 'Host: x', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`

const MALFORMED: [what: string, bytes: string | Buffer, status: number][] = [
  ['a path of //', head('GET // HTTP/1.1'), 404],
  ['a doubled slash', head('GET //api/health HTTP/1.1'), 404],
  ['dots', head('GET /api/../../etc/passwd HTTP/1.1'), 404],
  ['a bad percent sign', head('GET /api/%zz HTTP/1.1'), 404],
  ['bytes that are not UTF-8', head('GET /api/v2/projects/%ff%fe HTTP/1.1'), 401],
  ['a staff path that does not decode', head('GET /api/v2/admin/%zz HTTP/1.1'), 401],
  ['an unknown method', head('BREW /api/health HTTP/1.1'), 400],
  ['text that is not HTTP', 'hello\r\n\r\n', 400],
  ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex'), 400],
  ['two lengths', head('POST /api/v2/organisations HTTP/1.1', 'Content-Length: 1', 'Content-Length: 2'), 400],
  [
    'length and chunks',
    head('POST /api/v2/organisations HTTP/1.1', 'Content-Length: 4', 'Transfer-Encoding: chunked'),
    400,
  ],
  ['a NUL in a header', head('GET /api/health HTTP/1.1', 'X-A: a\0b'), 400],
  ['64 KiB of headers', head('GET /api/health HTTP/1.1', `X-A: ${'a'.repeat(65_536)}`), 431],
]

for (const [what, bytes, status] of MALFORMED) {
  test(`${what} gets ${status} as problem+json, and the service continues`, async () => {
    const response = await sendBytes(bytes)
    assert.match(response, new RegExp(`^HTTP/1\\.1 ${status} `))
    assert.match(response, /content-type: application\/problem\+json/i)
    assert.equal((await caller.send('GET', '/api/health')).status, 200)
  })
}

test('headers that are too large get 431 without a body when the method is HEAD', async () => {
  const response = await sendBytes(head('HEAD /api/health HTTP/1.1', `X-A: ${'a'.repeat(20_000)}`))
  assert.match(response, /^HTTP\/1\.1 431 /)
  assert.ok(response.endsWith('\r\n\r\n'))
})

const WRONG_BODIES: Record<string, string | Uint8Array> = {
  'malformed JSON': '{"name": ',
  'JSON that is not an object': '[1]',
  'no bytes': '',
  'bytes that are not UTF-8': Buffer.from('7b226e616d65223a22ff227d', 'hex'),
  'a prototype': '{"__proto__": {"name": "x"}, "name": "x"}',
  'a NUL': '{"name": "a\\u0000b"}',
  'half a surrogate pair': '{"name": "\\ud800"}',
  'a wrong type': '{"name": 7}',
  'a blank name': '{"name": "  "}',
  'an unknown field': '{"name": "x", "tier": "guardian"}',
  'more than 1 MiB': `{"name": "${'x'.repeat(1_048_576)}"}`,
}

for (const [what, body] of Object.entries(WRONG_BODIES)) {
  test(`rejects a body of ${what}`, async () => {
    const headers = { 'content-type': 'application/json' }
    const reply = await caller.send('POST', '/api/v2/organisations', body, headers)
    const expected = what === 'more than 1 MiB' ? [413, 'too_large'] : [422, 'invalid_input']
    assert.deepEqual([reply.status, reply.body.code], expected)
  })
}

test('names the wrong field, also an unknown one and one inside a list', async () => {
  const unknown = await caller.send('POST', '/api/v2/organisations', { name: 'x', tier: 'guardian' })
  assert.deepEqual(unknown.body.errors, [{ path: 'tier', message: 'is not a known field' }])
  const project = { name: 'x', tags: ['good', ''] }
  const deep = await owner.send('POST', `/api/v2/workspaces/${tenant.wid}/projects`, project)
  assert.equal(deep.body.errors[0].path, 'tags.1')
})

test('routes without a body accept none, an empty one and {}, and reject any other', async () => {
  const create = async () => (await caller.send('POST', '/api/v2/organisations', { name: 'x' })).body.id
  const remove = async (body: unknown, headers: Record<string, string> = {}) =>
    (await caller.send('DELETE', `/api/v2/organisations/${await create()}`, body, headers)).status
  assert.equal(await remove(undefined), 204)
  assert.equal(await remove('', { 'content-type': 'application/json' }), 204)
  assert.equal(await remove({}), 204)
  assert.equal(await remove({ force: true }), 422)
  assert.equal(await remove('hello', { 'content-type': 'text/plain' }), 415)
})

test('an unknown path gets 404 as problem+json, whatever the body', async () => {
  for (const [method, body] of [
    ['GET', undefined],
    ['POST', 'hello'],
    ['PUT', '{'],
    ['DELETE', undefined],
  ] as const) {
    const reply = await caller.send(method, '/api/v2/nowhere', body, { 'content-type': 'text/plain' })
    assert.deepEqual([reply.status, reply.body.code], [404, 'not_found'])
  }
})

test('a wrong method gets 405 and the list of allowed methods', async () => {
  const reply = await caller.send('PUT', '/api/v2/me')
  assert.deepEqual(
    [reply.status, reply.body.code, reply.headers.get('allow')],
    [405, 'method_not_allowed', 'GET, HEAD'],
  )
})

test('uses the request id of the client if it is harmless, and a new one if not', async () => {
  const requestIdFor = async (id: string) =>
    (await caller.send('GET', '/api/v2/nowhere', undefined, { 'x-request-id': id })).body.request_id
  assert.equal(await requestIdFor('mine-1'), 'mine-1')
  assert.match(await requestIdFor('"}{'), /^[0-9a-f-]{36}$/)
})
