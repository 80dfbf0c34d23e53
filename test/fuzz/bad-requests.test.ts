import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { after, before, test } from 'node:test'
import { type Caller, newUser, startBackend, type TestBackend } from '../support/backend.ts'

let backend: TestBackend
let caller: Caller
before(async () => {
  backend = await startBackend({ enqueues: true })
  caller = await backend.as(newUser())
})
after(() => backend.stop())

/** What comes back for these bytes; the client's own tidiness is out of the way. */
async function raw(text: string | Buffer): Promise<string> {
  const socket = createConnection(Number(new URL(backend.url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => (answer += data))
  socket.on('error', () => {})
  socket.end(text)
  await once(socket, 'close')
  return answer
}

const head = (line: string, ...headers: string[]) =>
  `${[line, 'Host: x', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`

const rows: [string, string | Buffer, number][] = [
  ['a path of //', head('GET // HTTP/1.1'), 404],
  ['a doubled slash', head('GET //api/health HTTP/1.1'), 404],
  ['dots', head('GET /api/../../etc/passwd HTTP/1.1'), 404],
  ['a bad percent sign', head('GET /api/%zz HTTP/1.1'), 404],
  ['bytes that are no UTF-8', head('GET /api/v2/projects/%ff%fe HTTP/1.1'), 401],
  ['a staff path that does not decode', head('GET /api/v2/admin/%zz HTTP/1.1'), 401],
  ['an unknown method', head('BREW /api/health HTTP/1.1'), 400],
  ['no HTTP at all', 'hello\r\n\r\n', 400],
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

for (const [what, bytes, status] of rows) {
  test(`${what} gets ${status} as problem+json, and the service goes on`, async () => {
    const answer = await raw(bytes)
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `))
    assert.match(answer, /content-type: application\/problem\+json/i)
    assert.equal((await caller.get('/api/health')).status, 200)
  })
}

test('headers that are too large get 431 without a body when the method is HEAD', async () => {
  const answer = await raw(head('HEAD /api/health HTTP/1.1', `X-A: ${'a'.repeat(20_000)}`))
  assert.match(answer, /^HTTP\/1\.1 431 /)
  assert.equal(answer.slice(answer.indexOf('\r\n\r\n')), '\r\n\r\n')
})

const bodies: [string, string | Uint8Array, number, string][] = [
  ['malformed JSON', '{"name": ', 422, 'invalid_input'],
  ['JSON that is no object', '[1]', 422, 'invalid_input'],
  ['nothing', '', 422, 'invalid_input'],
  ['bytes that are no UTF-8', Buffer.from('7b226e616d65223a22ff227d', 'hex'), 422, 'invalid_input'],
  ['a prototype', '{"__proto__": {"name": "x"}, "name": "x"}', 422, 'invalid_input'],
  ['a NUL', '{"name": "a\\u0000b"}', 422, 'invalid_input'],
  ['half a surrogate pair', '{"name": "\\ud800"}', 422, 'invalid_input'],
  ['a wrong type', '{"name": 7}', 422, 'invalid_input'],
  ['a blank name', '{"name": "  "}', 422, 'invalid_input'],
  ['an unknown field', '{"name": "x", "tier": "guardian"}', 422, 'invalid_input'],
  ['more than 1 MiB', `{"name": "${'x'.repeat(1_048_576)}"}`, 413, 'too_large'],
]

for (const [what, body, status, code] of bodies) {
  test(`a body of ${what} is refused with ${code}`, async () => {
    const reply = await caller.post('/api/v2/organisations', body, { 'content-type': 'application/json' })
    assert.deepEqual([reply.status, reply.body.code], [status, code])
  })
}

test('a refusal names the field, also an unknown one and one deep inside', async () => {
  const unknown = await caller.post('/api/v2/organisations', { name: 'x', tier: 'guardian' })
  assert.deepEqual(unknown.body.errors, [{ path: 'tier', message: 'is not a known field' }])
  const organisation = (await caller.post('/api/v2/organisations', { name: 'x' })).body.id
  const workspace = (await caller.post(`/api/v2/organisations/${organisation}/workspaces`, { name: 'x' }))
    .body.id
  const deep = await caller.post(`/api/v2/workspaces/${workspace}/projects`, {
    name: 'x',
    tags: ['good', ''],
  })
  assert.equal(deep.body.errors[0].path, 'tags.1')
})

test('calls without a body take none, an empty one and {}, and nothing else', async () => {
  const make = async () => (await caller.post('/api/v2/organisations', { name: 'x' })).body.id
  const remove = async (body: unknown, headers: Record<string, string> = {}) =>
    (await caller.send('DELETE', `/api/v2/organisations/${await make()}`, body, headers)).status
  assert.equal(await remove(undefined), 204)
  assert.equal(await remove('', { 'content-type': 'application/json' }), 204)
  assert.equal(await remove({}), 204)
  assert.equal(await remove({ force: true }), 422)
  assert.equal(await remove('hello', { 'content-type': 'text/plain' }), 415)
})

test('an unknown path is problem+json 404 whatever it carries', async () => {
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

test('a wrong method gets 405 and is told the right ones', async () => {
  const reply = await caller.send('PUT', '/api/v2/me')
  assert.deepEqual(
    [reply.status, reply.body.code, reply.headers.get('allow')],
    [405, 'method_not_allowed', 'GET, HEAD'],
  )
})

test('a request id is taken over when it is harmless, and made when it is not', async () => {
  assert.equal((await caller.get('/api/v2/nowhere', { 'x-request-id': 'mine-1' })).body.request_id, 'mine-1')
  const made = (await caller.get('/api/v2/nowhere', { 'x-request-id': '"}{' })).body.request_id
  assert.match(made, /^[0-9a-f-]{36}$/)
})
