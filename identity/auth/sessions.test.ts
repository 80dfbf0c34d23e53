import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { codeOf, type HttpResponse } from '../testing/client.ts'
import { ADMIN, useStore } from '../testing/store-in-process.ts'
import { deleteExpiredSessions } from './sessions.ts'

const COOKIE = 'service_session_token'

describe('a session', () => {
  const store = useStore()

  const valueIn = (response: HttpResponse) =>
    response.cookies.get(COOKIE)?.value ?? assert.fail('no session cookie')
  const open = async () => valueIn(await store.login(ADMIN.email, ADMIN.password, { mode: 'session' }))
  const refresh = (session: string) =>
    store.call('POST', '/auth/refresh', { cookies: { [COOKIE]: session }, body: { mode: 'session' } })
  const statusOf = async (session: string) =>
    (await store.call('GET', '/users/me', { bearer: session })).status
  const passTime = (seconds: number) =>
    sql`update session_tokens set rotated_at = rotated_at - make_interval(secs => ${seconds}),
        expires_at = expires_at - make_interval(secs => ${seconds})`.execute(store.db)

  it('accepts its old token for 10 seconds after a refresh', async () => {
    const old = await open()
    const next = valueIn(await refresh(old))
    await passTime(9)
    assert.equal(await statusOf(old), 200)
    await passTime(2)
    assert.equal(await statusOf(old), 401)
    assert.equal(await statusOf(next), 200)
  })

  it('ends when its old token is used for a refresh after that', async () => {
    const old = await open()
    const next = valueIn(await refresh(old))
    await passTime(11)
    assert.equal(codeOf(await refresh(old)), 'INVALID_CREDENTIALS')
    assert.equal(await statusOf(next), 401)
    assert.equal((await refresh(next)).status, 401)
  })

  it('has a cookie that is cleared when invalid, and that does not prevent a login', async () => {
    const session = await open()
    await store.call('POST', '/auth/logout', { cookies: { [COOKIE]: session }, body: { mode: 'session' } })
    const dead = await store.call('GET', '/users/me', { cookies: { [COOKIE]: session } })
    assert.deepEqual([dead.status, dead.cookies.get(COOKIE)?.value], [401, ''])
    const again = await store.call('POST', '/auth/login', {
      cookies: { [COOKIE]: session },
      body: { ...ADMIN, mode: 'session' },
    })
    assert.equal(again.status, 200)
  })

  it('of one kind cannot be refreshed as the other', async () => {
    const { refresh_token } = (await store.login(ADMIN.email, ADMIN.password)).body.data
    const claim = JSON.parse(Buffer.from((await open()).split('.')[1] ?? '', 'base64url').toString()).session
    const asJson = await store.call('POST', '/auth/refresh', { body: { refresh_token: claim } })
    assert.equal(asJson.status, 401)
    const asSession = await store.call('POST', '/auth/refresh', {
      cookies: { [COOKIE]: refresh_token },
      body: { mode: 'session' },
    })
    assert.equal(asSession.status, 400)
  })

  it('ends with a change of role, because its token contains the old one', async () => {
    const bearer = await store.adminToken()
    const role = (await store.call('GET', '/users/me', { bearer })).body.data.role
    const made = await store.call('POST', '/users', {
      bearer,
      body: { email: 'b@example.com', password: 'password', role },
    })
    const session = valueIn(await store.login('b@example.com', 'password', { mode: 'session' }))
    assert.equal(await statusOf(session), 200)
    await store.call('PATCH', `/users/${made.body.data.id}`, { bearer, body: { role: null } })
    assert.equal(await statusOf(session), 401)
  })

  it('is deleted after it expired', async () => {
    const expiring = await open()
    await refresh(expiring)
    await passTime(store.settings.SESSION_SECONDS + 1)
    assert.equal(await statusOf(expiring), 401)
    const fresh = await open()
    await deleteExpiredSessions(store.db)
    const kind = await store.db.selectFrom('sessions').select('kind').where('kind', '=', 'session').execute()
    assert.equal(kind.length, 1)
    assert.equal(await statusOf(fresh), 200)
  })

  it('ends when its refresh token expires', async () => {
    const { refresh_token } = (await store.login(ADMIN.email, ADMIN.password)).body.data
    await passTime(store.settings.REFRESH_TOKEN_SECONDS + 1)
    assert.equal((await store.call('POST', '/auth/refresh', { body: { refresh_token } })).status, 401)
  })
})
