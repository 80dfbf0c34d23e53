import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openDatabase } from '../database/database.ts'
import { createLog } from '../platform/log.ts'
import { readSettings } from '../platform/settings.ts'
import { testDatabase } from '../test/support/database.ts'
import { createApp } from './app.ts'
import { settingsSchema } from './config.ts'
import type { IdentityTables } from './tables.ts'
import { call, codeOf } from './testing/client.ts'
import { ADMIN, startStoreInProcess, useStore } from './testing/store-in-process.ts'
import { SECRET } from './testing/store-process.ts'

const DASHBOARD = 'https://dashboard.example.com'
const COOKIE = 'service_session_token'

describe('for browsers', () => {
  const store = useStore({ ALLOWED_ORIGINS: DASHBOARD, IDENTITY_PUBLIC_URL: 'https://id.example.com' })

  const openSession = async () =>
    (await store.login(ADMIN.email, ADMIN.password, { mode: 'session' })).cookies.get(COOKIE)?.value ?? ''

  it('allows credentials for pages of an allowed origin only, also with error responses', async () => {
    const preflight = (origin: string) =>
      store.call('OPTIONS', '/auth/login', { headers: { origin, 'access-control-request-method': 'POST' } })
    const allowed = await preflight(DASHBOARD)
    assert.equal(allowed.headers.get('access-control-allow-origin'), DASHBOARD)
    assert.equal(allowed.headers.get('access-control-allow-credentials'), 'true')
    const refused = await store.call('GET', '/users/me', { headers: { origin: DASHBOARD } })
    assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [401, DASHBOARD])
    for (const origin of [
      'https://evil.example.com',
      'null',
      `${DASHBOARD}.evil.com`,
      'http://dashboard.example.com',
    ]) {
      assert.equal((await preflight(origin)).headers.get('access-control-allow-origin'), null, origin)
    }
  })

  it('sets Secure cookies behind https', async () => {
    const response = await store.login(ADMIN.email, ADMIN.password, { mode: 'session' })
    assert.match(response.cookies.get(COOKIE)?.attributes ?? '', /HttpOnly; Secure; SameSite=Lax$/)
  })

  it('rejects changes by cookie from pages of other origins', async () => {
    const session = await openSession()
    const logout = (headers: Record<string, string>) =>
      store.call('POST', '/auth/logout', {
        cookies: { [COOKIE]: session },
        headers,
        body: { mode: 'session' },
      })
    const change = (headers: Record<string, string>) =>
      store.call('PATCH', '/users/me', { cookies: { [COOKIE]: session }, headers, body: {} })
    for (const request of [logout, change]) {
      assert.equal(codeOf(await request({ origin: 'https://evil.example.com' })), 'FORBIDDEN')
    }
    assert.equal((await change({ origin: DASHBOARD })).status, 200)
    assert.equal((await change({ origin: 'https://id.example.com' })).status, 200)
    assert.equal((await logout({ origin: DASHBOARD })).status, 204)
  })

  it('forbids caching and framing of responses', async () => {
    const { headers } = await store.call('GET', '/users/me')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  })
})

describe('requests', () => {
  it('to log in are limited per address', async (t) => {
    let now = 1_800_000_000_000
    const store = await startStoreInProcess(
      await testDatabase(),
      { RATE_LIMITS: 'on' },
      { clock: { now: () => now } },
    )
    t.after(() => store.stop())
    const attempt = () => store.call('POST', '/auth/login', { body: {} })
    const first = await Promise.all(Array.from({ length: 60 }, attempt))
    assert.deepEqual(new Set(first.map(codeOf)), new Set(['INVALID_PAYLOAD']))
    const refused = await attempt()
    assert.deepEqual(
      [refused.status, codeOf(refused), refused.headers.get('retry-after')],
      [429, 'REQUESTS_EXCEEDED', '1'],
    )
    assert.equal(refused.body.errors[0].extensions.limit, 60)
    now += 1000
    assert.equal((await attempt()).status, 400)
  })

  it('to log in are limited per IPv6 /64, and per IPv4 address in every spelling', async (t) => {
    const store = await startStoreInProcess(
      await testDatabase(),
      { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' },
      { clock: { now: () => 1_800_000_000_000 } },
    )
    t.after(() => store.stop())
    const attemptFrom = (address: string) =>
      store.call('POST', '/auth/login', { body: {}, headers: { 'x-forwarded-for': address } })
    await Promise.all(Array.from({ length: 60 }, (_, n) => attemptFrom(`2a00:1::${n.toString(16)}`)))
    assert.equal((await attemptFrom('2a00:1::ffff')).status, 429)
    assert.equal((await attemptFrom('2a00:1:0:1::1')).status, 400)
    const spellings = ['198.51.100.7', '::ffff:198.51.100.7', '::FFFF:C633:6407']
    await Promise.all(Array.from({ length: 60 }, (_, n) => attemptFrom(spellings[n % 3] ?? '')))
    for (const spelling of spellings) assert.equal((await attemptFrom(spelling)).status, 429, spelling)
  })

  it('that are malformed get one kind of error', async (t) => {
    const store = await startStoreInProcess(await testDatabase())
    t.after(() => store.stop())
    const broken = [
      { rawBody: '{' },
      { rawBody: '[1]' },
      { rawBody: '"text"' },
      { rawBody: '{"__proto__": {"admin_access": true}}' },
      { rawBody: 'a=b', headers: { 'content-type': 'text/plain' } },
      { rawBody: `{"email": "${'x'.repeat(70_000)}"}` },
    ]
    for (const request of broken) {
      const response = await store.call('POST', '/auth/login', request)
      assert.deepEqual(
        [response.status, codeOf(response)],
        [400, 'INVALID_PAYLOAD'],
        request.rawBody.slice(0, 40),
      )
    }
    assert.equal(codeOf(await store.call('GET', '/users/%zz')), 'ROUTE_NOT_FOUND')
  })

  it('get 503 with Retry-After without the database, except for the ping', async (t) => {
    const nowhere = 'postgres://127.0.0.1:1/none'
    const { db, close } = openDatabase<IdentityTables>({
      url: nowhere,
      schema: 'identity',
      applicationName: 'test',
    })
    const settings = readSettings(settingsSchema, { DATABASE_URL: nowhere, IDENTITY_SECRET: SECRET })
    const app = await createApp({ db, settings, log: createLog('silent') })
    t.after(() => app.close())
    t.after(() => close())
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const response = await call(url, 'GET', '/users/me', { bearer: 'any-static-token' })
    assert.deepEqual([response.status, codeOf(response)], [503, 'SERVICE_UNAVAILABLE'])
    assert.ok(Number(response.headers.get('retry-after')) > 0)
    const health = await call(url, 'GET', '/server/health')
    assert.deepEqual([health.status, health.body], [503, { status: 'error' }])
    assert.equal((await call(url, 'GET', '/server/ping')).body, 'pong')
  })
})
