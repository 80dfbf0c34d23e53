import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { newUser, startBackend, type TestBackend } from '../support/backend.ts'
import { type Client, clientOf } from './client.ts'
import {
  everything,
  noRoles,
  type Person,
  personOf,
  type SeededTenant,
  seedTenant,
  settle,
} from './fixtures.ts'
import { methodOf, pathOf, routesOf, validBody } from './requests.ts'
import type { EffectiveRoles } from './statement.ts'

let backend: TestBackend
let client: Client
let place: SeededTenant
let elsewhere: SeededTenant
let callers: Person[]
before(async () => {
  backend = await startBackend()
  client = clientOf(backend.url)
  ;[place, elsewhere] = await Promise.all([seedTenant(backend), seedTenant(backend)])
  const owner: EffectiveRoles = { organisation: 'owner', workspace: 'owner', staff: false }
  callers = await Promise.all(
    (['anonymous', noRoles, owner] as const).map((one) => personOf(backend, client, one)),
  )
  await settle(backend, callers, place)
})
after(async () => {
  client.close()
  await backend.stop()
})

const STAFF_ROUTES = routesOf('staff')
const REFUSALS = [401, 403, 404, 405]

/** Ways to write a path so that one part of a server takes it for another than the next part does. */
const TRICKS: ((path: string) => string)[] = [
  (path) => path,
  (path) => `/${path}`,
  (path) => `//x${path}`,
  (path) => path.replace('/v2/', '/v2//'),
  (path) => path.replace('/admin/', '/admin//'),
  (path) => path.replace('/v2/', '/v2/./'),
  (path) => path.replace('/v2/', '/v2/%2e/'),
  (path) => path.replace('/v2/', '/v2/me/../'),
  (path) => path.replace('/v2/', '/v2/me/%2e%2e/'),
  (path) => path.replace('/v2/', '/v2/me/..%2f'),
  (path) => path.replace('/v2/', '/v2/me%2f..%2f'),
  (path) => path.replace('/v2/', '/v2/organisations/../'),
  (path) => path.replace('/api/', '/api/health/../'),
  (path) => path.replace('/api/', '/api/docs/../'),
  (path) => path.replace('/api/', '/api/docs/static/..%2f..%2f'),
  (path) => path.replace('/api/', '/api\\'),
  (path) => path.replace('/admin/', '\\admin\\'),
  (path) => path.replace('/admin/', '%5cadmin%5c'),
  (path) => path.replace('/admin/', '%2fadmin%2f'),
  (path) => path.replace('admin', 'ADMIN'),
  (path) => path.replace('admin', 'Admin'),
  (path) => path.toUpperCase(),
  (path) => path.replace('admin', '%61dmin'),
  (path) => path.replace('admin', '%41dmin'),
  (path) => path.replace('admin', '%2561dmin'),
  (path) => path.replace('admin', 'adm%69n'),
  (path) => path.replace('admin', '%C0%A1dmin'),
  (path) => path.replace('admin', 'admin%00'),
  (path) => path.replace('admin', 'admin%20'),
  (path) => path.replace('admin', 'admin.'),
  (path) => path.replace('/admin', ';x/admin'),
  (path) => path.replace('admin', 'admin;x'),
  (path) => path.replace('admin', 'admin;x=/me'),
  (path) => path.replace('/v2/', '/v1/'),
  (path) => path.replace('/v2', ''),
  (path) => path.replace('/api', ''),
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `${path}/.`,
  (path) => `${path}%2f`,
  (path) => `${path};x`,
  (path) => `${path}.json`,
  (path) => `${path}%00`,
  (path) => `${path}%23`,
  (path) => `${path}#/api/v2/me`,
  (path) => `${path}?`,
  (path) => `${path}?_method=GET`,
  (path) => `${path}?admin_access=true&staff=true`,
  (path) => `${path}?x=/../../me`,
  (path) => `http://127.0.0.1${path}`,
  (path) => `http://parley.test${path}`,
]

/** Headers by which some servers and proxies change the method, the path or the caller. */
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

async function refused(
  person: Person,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) {
  const reply = await person.send(method, path, body, headers)
  const who = person.effectiveRoles === 'anonymous' ? 'anonymous' : 'not staff'
  assert.ok(
    REFUSALS.includes(reply.status),
    `${who}: ${method} ${path} ${JSON.stringify(headers)}: ${reply.status}`,
  )
  return reply
}

test('no spelling of a staff path gives anything to anybody but staff, and nothing changes', async () => {
  const before = await everything(backend)
  for (const person of callers) {
    for (const route of STAFF_ROUTES) {
      for (const trick of TRICKS) {
        const body = validBody(route, elsewhere.oid)
        await refused(person, methodOf(route), trick(pathOf(route, place)), body)
      }
    }
  }
  assert.deepEqual(await everything(backend), before)
})

test('no header and no other method opens a staff path, and nothing changes', async () => {
  const before = await everything(backend)
  for (const person of callers) {
    for (const route of STAFF_ROUTES) {
      const path = pathOf(route, place)
      const body = validBody(route, elsewhere.oid)
      for (const headers of TRICK_HEADERS) await refused(person, methodOf(route), path, body, headers)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])
        await refused(person, method, path, method === 'GET' || method === 'HEAD' ? undefined : body)
      for (const method of ['TRACE', 'PROPFIND', 'COPY', 'QUERY', 'LINK', 'PURGE'])
        await refused(person, method, path)
    }
  }
  assert.deepEqual(await everything(backend), before)
})

test('a header names no other path: an open route stays itself', async () => {
  const [anonymous] = callers as [Person]
  for (const headers of TRICK_HEADERS) {
    const reply = await anonymous.send('GET', '/api/health', undefined, headers)
    const plain = await anonymous.send('GET', '/api/health')
    assert.deepEqual([reply.status, reply.text], [plain.status, plain.text], JSON.stringify(headers))
  }
})

test('a preflight tells nothing of what is there', async () => {
  const answers = new Set<string>()
  for (const path of ['organisations', 'webhooks', 'nothing', `webhooks/${place.webhook}/disable`]) {
    const reply = await client.send('OPTIONS', `/api/v2/admin/${path}`, undefined, {
      origin: 'https://evil.test',
      'access-control-request-method': 'PUT',
    })
    answers.add(`${reply.status} ${reply.text} ${reply.headers.get('access-control-allow-methods')}`)
    assert.notEqual(reply.headers.get('access-control-allow-origin'), 'https://evil.test')
    assert.notEqual(reply.headers.get('access-control-allow-origin'), '*')
  }
  assert.equal(answers.size, 1, [...answers].join('\n'))
})

test('what does not exist below the staff prefix is 401, then 403, then 404', async () => {
  const staff = await personOf(backend, client, { ...noRoles, staff: true })
  const [anonymous, stranger] = callers as [Person, Person]
  const nowhere = ['', '/', '/nothing', '/organisations/x', '/workspaces/x', '/webhooks/x']
  for (const path of [...nowhere, `/workspaces/${place.wid}`, `/webhooks/${place.webhook}`]) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const seen = []
      for (const person of [anonymous, stranger, staff]) {
        const { status, body } = await person.send(method, `/api/v2/admin${path}`)
        seen.push([status, body.code])
      }
      const wanted = [
        [401, 'unauthenticated'],
        [403, 'staff_required'],
        [404, 'not_found'],
      ]
      assert.deepEqual(seen, wanted, `${method} ${path}`)
    }
  }
})

test('only staff can find out which staff paths exist', async () => {
  for (const person of callers) {
    const answers = new Set<string>()
    for (const path of [
      'organisations',
      'workspaces',
      'audit',
      'usage',
      'webhooks',
      'nothing',
      `workspaces/${place.wid}/tier`,
      `webhooks/${place.webhook}/disable`,
    ]) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const reply = await refused(person, method, `/api/v2/admin/${path}`)
        answers.add(`${reply.status} ${reply.body.code} ${reply.headers.get('allow')}`)
      }
    }
    assert.equal(answers.size, 1, [...answers].join('\n'))
  }
})

test('only the boolean true in the token makes staff', async () => {
  for (const admin_access of ['true', 1, 'yes', [true], { value: true }, null, 'True']) {
    const caller = await backend.as(newUser(), { admin_access, admin: true, staff: true, role: 'admin' })
    const reply = await caller.get('/api/v2/admin/organisations')
    assert.deepEqual([reply.status, reply.body.code], [403, 'staff_required'], JSON.stringify(admin_access))
  }
})

/** The status lines that a server answers to exactly these bytes, until it closes the connection. */
function raw(bytes: string): Promise<string[]> {
  const { hostname, port } = new URL(backend.url)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text.match(/^HTTP\/1\.1 \d+/gm) ?? []))
  })
}

test('bytes that no client would send open nothing either', async () => {
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
    // One request in the body of another, by two readings of its length.
    `POST ${path} HTTP/1.1\r\n${head}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET ${path} HTTP/1.1\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\n${head}Content-Length: 0\r\nContent-Length: 5\r\n\r\nGET ${path} HTTP/1.1\r\n\r\n`,
    // Two tokens, of which a lenient reader might take the one it likes.
    `GET ${path} HTTP/1.1\r\n${head}Authorization: Bearer x\r\n\r\n`,
  ]
  for (const bytes of requests) {
    const lines = await raw(bytes)
    const statuses = lines.map((line) => Number(line.slice(9)))
    for (const status of statuses)
      assert.ok([400, ...REFUSALS].includes(status), `${JSON.stringify(bytes)}: ${status}`)
    assert.ok(statuses.length <= 1, `one answer at most: ${JSON.stringify(bytes)}`)
  }
  assert.deepEqual(await everything(backend), before)
})
