import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { test } from 'node:test'
import { newUser } from '../support/backend.ts'
import { everything, type Person } from './fixtures.ts'
import { methodOf, pathOf, validBody } from './requests.ts'
import { anonymous, backend, client, otherTenant, owner, staff, stranger, tenant } from './service.ts'
import { ROUTES } from './statement.ts'

const CALLERS = [anonymous, stranger, owner]
const STAFF_ROUTES = ROUTES.filter(({ requires }) => requires.kind === 'staff')
const REJECTIONS = [401, 403, 404, 405]

/** Spellings of a path that parts of a server can interpret differently. */
const REPLACEMENTS: Record<string, string> = {
  '/api/': '/ /api/health/../ /api/docs/../ /api/docs/static/..%2f..%2f /api\\',
  '/v2/':
    '/ /v1/ /v2// /v2/./ /v2/%2e/ /v2/me/../ /v2/me/%2e%2e/ /v2/me/..%2f /v2/me%2f..%2f /v2/organisations/../',
  '/admin/': '/admin// \\admin\\ %5cadmin%5c %2fadmin%2f ;x/admin/',
  admin:
    'ADMIN Admin %61dmin %41dmin %2561dmin adm%69n %C0%A1dmin admin%00 admin%20 admin. admin;x admin;x=/me',
}
const PREFIXES = '/ //x http://127.0.0.1 http://parley.test'
const SUFFIXES =
  '/ // /. %2f ;x .json %00 %23 #/api/v2/me ? ?_method=GET ?admin_access=true&staff=true ?x=/../../me'

const spellingsOf = (path: string): string[] => [
  path,
  path.toUpperCase(),
  ...Object.entries(REPLACEMENTS).flatMap(([part, others]) =>
    others.split(' ').map((other) => path.replace(part, other)),
  ),
  ...PREFIXES.split(' ').map((prefix) => `${prefix}${path}`),
  ...SUFFIXES.split(' ').map((suffix) => `${path}${suffix}`),
]

/** Headers with which some servers and proxies change the method, the path or the caller. */
const TRICK_HEADERS: Record<string, string>[] = [
  { 'x-http-method-override': 'PUT' },
  { 'x-http-method': 'PUT' },
  { 'x-method-override': 'PUT' },
  { 'x-original-url': '/api/v2/admin/organisations' },
  { 'x-rewrite-url': '/api/v2/admin/organisations' },
  { 'x-forwarded-uri': '/api/v2/me' },
  { 'x-forwarded-prefix': '/api/v2/admin' },
  { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' },
  { 'x-forwarded-host': 'localhost', forwarded: 'for=127.0.0.1;host=localhost' },
  { 'x-admin': 'true', 'x-staff': 'true', 'x-admin-access': 'true' },
  { 'x-middleware-subrequest': 'middleware' },
]

async function assertRejected({ effectiveRoles, send }: Person, ...request: Parameters<Person['send']>) {
  const reply = await send(...request)
  const who = effectiveRoles === 'anonymous' ? 'anonymous' : 'not staff'
  assert.ok(REJECTIONS.includes(reply.status), `${who}: ${JSON.stringify(request)}: ${reply.status}`)
  return reply
}

test('rejects a staff path in every spelling for all but staff, and changes nothing', async () => {
  const before = await everything(backend)
  for (const person of CALLERS) {
    for (const route of STAFF_ROUTES) {
      const body = validBody(route, otherTenant.oid)
      for (const path of spellingsOf(pathOf(route, tenant)))
        await assertRejected(person, methodOf(route), path, body)
    }
  }
  assert.deepEqual(await everything(backend), before)
})

test('rejects a staff path with every header and method for all but staff, and changes nothing', async () => {
  const before = await everything(backend)
  for (const person of CALLERS) {
    for (const route of STAFF_ROUTES) {
      const path = pathOf(route, tenant)
      const body = validBody(route, otherTenant.oid)
      for (const headers of TRICK_HEADERS) await assertRejected(person, methodOf(route), path, body, headers)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
        await assertRejected(person, method, path, body)
      for (const method of ['GET', 'HEAD', 'TRACE', 'PROPFIND', 'COPY', 'QUERY', 'LINK', 'PURGE'])
        await assertRejected(person, method, path)
    }
  }
  assert.deepEqual(await everything(backend), before)
})

test('ignores headers that name another path on a public route', async () => {
  const plain = await client.send('GET', '/api/health')
  for (const headers of TRICK_HEADERS) {
    const reply = await client.send('GET', '/api/health', undefined, headers)
    assert.deepEqual([reply.status, reply.text], [plain.status, plain.text], JSON.stringify(headers))
  }
})

test('responds to a preflight in the same way whether or not the path exists', async () => {
  const responses = new Set<string>()
  for (const path of ['organisations', 'webhooks', 'nothing', `webhooks/${tenant.webhook}/disable`]) {
    const reply = await client.send('OPTIONS', `/api/v2/admin/${path}`, undefined, {
      origin: 'https://evil.test',
      'access-control-request-method': 'PUT',
    })
    responses.add(`${reply.status} ${reply.text} ${reply.headers.get('access-control-allow-methods')}`)
    assert.notEqual(reply.headers.get('access-control-allow-origin'), 'https://evil.test')
    assert.notEqual(reply.headers.get('access-control-allow-origin'), '*')
  }
  assert.equal(responses.size, 1, [...responses].join('\n'))
})

test('reports an unknown staff path as 401, then 403, then 404', async () => {
  const unknown = ['', '/', '/nothing', '/organisations/x', '/workspaces/x', '/webhooks/x']
  for (const path of [...unknown, `/workspaces/${tenant.wid}`, `/webhooks/${tenant.webhook}`]) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const [person, ...expected] of [
        [anonymous, 401, 'unauthenticated'],
        [stranger, 403, 'staff_required'],
        [staff, 404, 'not_found'],
      ] as const) {
        const { status, body } = await person.send(method, `/api/v2/admin${path}`)
        assert.deepEqual([status, body.code], expected, `${method} ${path}`)
      }
    }
  }
})

test('only staff can find out which staff paths exist', async () => {
  const some = ['organisations', 'workspaces', 'audit', 'usage', 'webhooks', 'nothing']
  for (const person of CALLERS) {
    const responses = new Set<string>()
    for (const path of [...some, `workspaces/${tenant.wid}/tier`, `webhooks/${tenant.webhook}/disable`]) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const reply = await assertRejected(person, method, `/api/v2/admin/${path}`)
        responses.add(`${reply.status} ${reply.body.code} ${reply.headers.get('allow')}`)
      }
    }
    assert.equal(responses.size, 1, [...responses].join('\n'))
  }
})

test('only the boolean true in the token marks a caller as staff', async () => {
  for (const admin_access of ['true', 1, 'yes', [true], { value: true }, null, 'True']) {
    const caller = await backend.as(newUser(), { admin_access, admin: true, staff: true, role: 'admin' })
    const reply = await caller.get('/api/v2/admin/organisations')
    assert.deepEqual([reply.status, reply.body.code], [403, 'staff_required'], JSON.stringify(admin_access))
  }
})

/** The statuses of all responses to exactly these bytes, until the server closes the connection. */
async function statusesOf(bytes: string): Promise<number[]> {
  const { hostname, port } = new URL(backend.url)
  const socket = connect(Number(port), hostname, () => socket.write(bytes))
  return [...(await readText(socket)).matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))
}

test('rejects malformed requests for a staff path', async () => {
  const before = await everything(backend)
  const token = await backend.token({ id: newUser() })
  const head = `Host: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`
  const path = '/api/v2/admin/organisations'
  const requests = [
    `GET ${path} HTTP/1.1\r\n${head}\r\n`,
    `GET ${path} HTTP/1.0\r\n${head}\r\n`,
    `GET ${path}\r\n\r\n`,
    `GET  ${path} HTTP/1.1\r\n${head}\r\n`,
    `get ${path} HTTP/1.1\r\n${head}\r\n`,
    `GET\t${path}\tHTTP/1.1\r\n${head}\r\n`,
    `GET ${path.slice(1)} HTTP/1.1\r\n${head}\r\n`,
    `GET @${path} HTTP/1.1\r\n${head}\r\n`,
    `GET ${path}\u0000 HTTP/1.1\r\n${head}\r\n`,
    `GET ${path} x HTTP/1.1\r\n${head}\r\n`,
    `GET /api/health/../v2/admin/organisations HTTP/1.1\r\n${head}\r\n`,
    // A request inside the body of another one, if the server reads the length in another way.
    `POST ${path} HTTP/1.1\r\n${head}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET ${path} HTTP/1.1\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\n${head}Content-Length: 0\r\nContent-Length: 5\r\n\r\nGET ${path} HTTP/1.1\r\n\r\n`,
    // Two tokens.
    `GET ${path} HTTP/1.1\r\n${head}Authorization: Bearer x\r\n\r\n`,
  ]
  for (const bytes of requests) {
    const statuses = await statusesOf(bytes)
    for (const status of statuses)
      assert.ok([400, ...REJECTIONS].includes(status), `${JSON.stringify(bytes)}: ${status}`)
    assert.ok(statuses.length <= 1, `more than one response: ${JSON.stringify(bytes)}`)
  }
  assert.deepEqual(await everything(backend), before)
})
