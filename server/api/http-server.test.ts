import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { serveMetrics } from '../../platform/metrics.ts'
import { newUser, request, startBackend } from '../../test/support/backend.ts'
import { allProblems } from './problems.ts'

const backend = await startBackend({ rateLimits: { perUser: 5, failuresPerAddress: 3 } })
after(() => backend.stop())

test('limits the requests of one user without affecting others', async () => {
  const [eager, other] = [await backend.as(newUser()), await backend.as(newUser())]
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push((await eager.get('/api/v2/organisations')).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429])
  const refused = await eager.get('/api/v2/organisations')
  assert.equal(refused.body.code, 'rate_limited')
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  assert.equal((await other.get('/api/v2/organisations')).status, 200)
})

test('limits invalid tokens per address, and a valid token from the same address still works', async () => {
  const guess = () => request(`${backend.url}/api/v2/me`, 'GET', undefined, { authorization: 'Bearer a.b.c' })
  const statuses = []
  for (let i = 0; i < 4; i++) statuses.push((await guess()).status)
  assert.deepEqual(statuses, [401, 401, 401, 429])
  assert.equal((await (await backend.as(newUser())).get('/api/v2/organisations')).status, 200)
})

test('metrics are Prometheus text by route, and no path or id of a caller is in them', async () => {
  const caller = await backend.as(newUser())
  await caller.get('/api/v2/organisations/0190a7c8-0000-7000-8000-00000000cafe')
  await caller.get('/api/v2/canary-path')
  const server = await serveMetrics(backend.metrics, '127.0.0.1', 0)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { status, text, headers } = await request(`${url}/metrics`, 'GET')
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/plain/)
  assert.match(
    text,
    /parley_http_request_duration_seconds_count\{method="GET",route="\/api\/v2\/organisations\/:oid",status="404"\} 1/,
  )
  assert.match(text, /parley_authentications_total\{kind="jwt",outcome="accepted"\} \d+/)
  assert.doesNotMatch(text, /cafe|canary/)
  assert.equal((await request(`${url}/other`, 'GET')).status, 404)
  server.close()
})

test('lists every problem code on the page that problem types link to', async () => {
  const { text } = await request(`${backend.url}/api/problems`, 'GET')
  for (const [code] of allProblems()) assert.match(text, new RegExp(`id="${code}"`))
})

test('the reference is OpenAPI 3.1 and a page', async () => {
  const { body } = await request(`${backend.url}/api/openapi.json`, 'GET')
  assert.equal(body.openapi, '3.1.0')
  const paths = Object.values<Record<string, { operationId: string }>>(body.paths)
  const ids = paths.flatMap((path) => Object.values(path)).map(({ operationId }) => operationId)
  assert.equal(new Set(ids).size, ids.length)
  const found = JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)
  const references = Array.from(found, ([, name = '']) => name)
  for (const name of references) assert.ok(body.components.schemas[name], name)
  for (const name of Object.keys(body.components.schemas))
    assert.ok(references.includes(name), `${name} is used by nothing`)
  const page = await request(`${backend.url}/api/docs/`, 'GET')
  assert.equal(page.status, 200)
  assert.match(page.text, /Parley API/)
})

test('no page, document or error can be shown in a frame of another page', async () => {
  const paths = [
    '/api/docs/',
    '/api/docs/static/index.html',
    '/api/docs/static/swagger-ui.css',
    '/api/openapi.json',
    '/api/problems',
    '/api/health',
    '/api/nowhere',
    '/nowhere',
    '/p/0190a7c8-0000-7000-8000-00000000cafe',
    '/p/0190a7c8-0000-7000-8000-00000000cafe/withdraw',
  ]
  for (const path of paths) {
    const { headers } = await request(`${backend.url}${path}`, 'GET')
    const policy = headers.get('content-security-policy') ?? ''
    assert.match(policy, /(^|; ?)frame-ancestors 'none'/, `${path}: ${policy}`)
  }
})

test('before the migrations have run, only health and readiness work', async () => {
  const caller = await backend.as(newUser())
  backend.lifecycle.migrated = false
  const paths = ['/api/health', '/api/ready', '/api/v2/organisations', '/api/nowhere']
  const replies = await Promise.all(paths.map((path) => caller.get(path)))
  backend.lifecycle.migrated = true
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 503, 503, 503],
  )
  backend.lifecycle.stopping = true
  assert.equal((await caller.get('/api/ready')).status, 503)
  backend.lifecycle.stopping = false
})

test('a stop does not wait for a connection that was opened in advance', { timeout: 30_000 }, async () => {
  const own = await startBackend()
  const early = connect(Number(new URL(own.url).port), '127.0.0.1')
  await once(early, 'connect')
  await own.stop()
})
