import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { newUser, startBackend } from '../../test/support/backend.ts'
import { sendLines, type WireReply } from '../../test/support/wire.ts'

const DASHBOARD = 'https://dashboard.example.com'
const PORTAL = 'http://localhost:5173'
const PUBLIC = 'https://parley.example.com'
const ALLOWED = [DASHBOARD, PORTAL, PUBLIC]
const REFUSED = [
  'null',
  '*',
  '',
  'https://evil.example.net',
  'https://dashboard.example.com.evil.net',
  'https://evil-dashboard.example.com',
  'https://evildashboard.example.com',
  'https://x.dashboard.example.com',
  'https://example.com',
  'http://dashboard.example.com',
  'https://dashboard.example.com:8443',
  'https://dashboard.example.com:443',
  'https://dashboard.example.com/',
  'https://DASHBOARD.example.com',
  'https://dashboard.example.co',
  'https://dashboardXexample.com',
  'http://localhost',
  'http://localhost:51730',
  'https://localhost:5173',
  'http://127.0.0.1:5173',
  `${DASHBOARD},${PORTAL}`,
  `${DASHBOARD} ${PORTAL}`,
  'file://',
  'chrome-extension://abc',
]

const backend = await startBackend({ allowedOrigins: [DASHBOARD, PORTAL], publicUrl: `${PUBLIC}/app` })
const user = newUser()
const token = await backend.token({ id: user })
// A high tier, so that the many organisations made below stay within its limit.
await backend.database.pool.query(
  `with o as (insert into organisations (id, name, created_by) values (gen_random_uuid(), 'O', $1) returning id)
   insert into workspaces (id, organisation_id, name, tier) select gen_random_uuid(), id, 'W', 'guardian' from o`,
  [user],
)
after(() => backend.stop())

/** Requests whose responses are of every kind: pages must be able to read errors, too. */
const REQUESTS: [string, string, string, unknown, boolean, number][] = [
  ['a record', 'GET', '/api/v2/me', undefined, true, 200],
  ['a creation', 'POST', '/api/v2/organisations', { name: 'City' }, true, 201],
  ['no credential', 'GET', '/api/v2/me', undefined, false, 401],
  ['an unknown record', 'GET', `/api/v2/organisations/${newUser()}`, undefined, true, 404],
  ['an unknown path', 'GET', '/api/v2/nothing', undefined, true, 404],
  ['an unknown path outside', 'GET', '/nothing', undefined, false, 404],
  ['an unreadable path', 'GET', '/api/v2/organisations/%zz', undefined, true, 404],
  ['another method', 'DELETE', '/api/v2/me', undefined, true, 405],
  ['a staff route', 'GET', '/api/v2/admin/usage', undefined, true, 403],
  ['a wrong body', 'POST', '/api/v2/organisations', { x: 1 }, true, 422],
  ['the health', 'GET', '/api/health', undefined, false, 200],
  ['the reference', 'GET', '/api/openapi.json', undefined, false, 200],
]

function send(method: string, path: string, origin: string | undefined, signedIn: boolean, body?: unknown) {
  const lines: [string, string][] = []
  if (origin !== undefined) lines.push(['Origin', origin])
  if (signedIn) lines.push(['Authorization', `Bearer ${token}`])
  return sendLines(backend.url, method, path, lines, body)
}

const preflight = (origin: string, method: string, path: string, headers = 'authorization,content-type') =>
  sendLines(backend.url, 'OPTIONS', path, [
    ['Origin', origin],
    ['Access-Control-Request-Method', method],
    ['Access-Control-Request-Headers', headers],
  ])

const listOf = (reply: WireReply, name: string): string[] =>
  String(reply.headers[name] ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)

function assertOpen(reply: WireReply, origin: string): void {
  assert.equal(reply.headers['access-control-allow-origin'], origin)
  assert.equal(reply.headers['access-control-allow-credentials'], 'true')
  assertVaries(reply)
}

function assertClosed(reply: WireReply): void {
  assert.equal(reply.headers['access-control-allow-origin'], undefined)
}

function assertVaries(reply: WireReply): void {
  assert.ok(listOf(reply, 'vary').includes('origin'), 'Vary names Origin')
}

for (const [name, method, path, body, signedIn, status] of REQUESTS) {
  describe(`${name} (${method} ${path})`, () => {
    for (const origin of ALLOWED) {
      test(`can be read by pages of ${origin}`, async () => {
        const reply = await send(method, path, origin, signedIn, body)
        assert.equal(reply.status, status, reply.text)
        assertOpen(reply, origin)
        const exposed = listOf(reply, 'access-control-expose-headers')
        for (const header of ['etag', 'location', 'retry-after', 'x-request-id'])
          assert.ok(exposed.includes(header), header)
      })
    }

    test('cannot be read by pages of any other origin', async () => {
      for (const origin of REFUSED) {
        const reply = await send(method, path, origin, signedIn, body)
        assert.equal(reply.status, status, 'the origin does not change the status')
        assertClosed(reply)
      }
    })

    test('allows no origin without an Origin header', async () =>
      assertClosed(await send(method, path, undefined, signedIn, body)))

    test('varies by origin, so that caches keep responses apart', async () => {
      for (const origin of [undefined, DASHBOARD, 'null', 'https://evil.example.net'])
        assertVaries(await send(method, path, origin, signedIn, body))
    })
  })
}

describe('a preflight', () => {
  const paths = ['/api/v2/me', '/api/v2/organisations', '/api/v2/admin/usage', '/api/v2/nothing']
  for (const origin of ALLOWED) {
    test(`opens the methods and headers of the API to pages of ${origin}, without a credential`, async () => {
      for (const path of paths) {
        for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
          const reply = await preflight(origin, method, path)
          assert.deepEqual([reply.status, reply.text], [204, ''])
          assertOpen(reply, origin)
          assert.ok(listOf(reply, 'access-control-allow-methods').includes(method.toLowerCase()))
          const headers = listOf(reply, 'access-control-allow-headers')
          for (const header of ['authorization', 'content-type', 'idempotency-key', 'if-match'])
            assert.ok(headers.includes(header), header)
        }
      }
    })
  }

  test('opens nothing to pages of any other origin', async () => {
    for (const origin of REFUSED) assertClosed(await preflight(origin, 'POST', '/api/v2/organisations'))
  })

  test('opens no more than the API needs', async () => {
    const reply = await preflight(DASHBOARD, 'TRACE', '/api/v2/me', 'x-evil, cookie')
    const allowed = [
      ...listOf(reply, 'access-control-allow-methods'),
      ...listOf(reply, 'access-control-allow-headers'),
    ]
    for (const name of ['trace', 'connect', 'x-evil', 'cookie', '*']) assert.ok(!allowed.includes(name), name)
    assert.equal(reply.headers['access-control-allow-private-network'], undefined)
  })

  test('does not authenticate: the request itself is still checked', async () => {
    await preflight(DASHBOARD, 'GET', '/api/v2/me')
    assert.equal((await send('GET', '/api/v2/me', DASHBOARD, false)).status, 401)
  })
})

test('without ALLOWED_ORIGINS, only pages of PUBLIC_URL can read responses', async (t) => {
  const closed = await startBackend({ publicUrl: PUBLIC })
  t.after(() => closed.stop())
  const reply = (origin: string) => sendLines(closed.url, 'GET', '/api/v2/me', [['Origin', origin]])
  assertOpen(await reply(PUBLIC), PUBLIC)
  for (const origin of [DASHBOARD, ...REFUSED]) assertClosed(await reply(origin))
})
