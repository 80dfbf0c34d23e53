import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { codeOf, type HttpResponse } from '../testing/client.ts'
import { PASSWORD, type TestUser, useStore } from '../testing/store-in-process.ts'

const MAX_FAILURES = 25
const HOME = '198.51.100.1'
const OFFICE = '2a00:1:2:3::1'

let now = 1_800_000_000_000
const store = useStore({ TRUSTED_PROXIES: '127.0.0.1' }, { clock: { now: () => now } })

const loginFrom = (address: string, { email }: TestUser, more: object = {}): Promise<HttpResponse> =>
  store.call('POST', '/auth/login', {
    body: { email, password: PASSWORD, ...more },
    headers: { 'x-forwarded-for': address },
  })
const signsIn = async (address: string, user: TestUser, more?: object): Promise<boolean> =>
  (await loginFrom(address, user, more)).status === 200
async function failFrom(address: (n: number) => string, user: TestUser, times: number): Promise<void> {
  for (let n = 0; n < times; n++)
    assert.equal((await loginFrom(address(n), user, { password: 'wrong' })).status, 401)
}
const stranger = (n: number) => `203.0.113.${n + 1}`

describe('failures from new addresses', () => {
  it('do not lock the user out at an address that has signed in before', async () => {
    const user = await store.newUser()
    assert.ok(await signsIn(HOME, user))
    assert.ok(await signsIn(OFFICE, user))
    await failFrom(stranger, user, MAX_FAILURES)
    for (const address of [HOME, '::ffff:198.51.100.1', OFFICE, '2A00:1:2:3:ffff::9'])
      assert.ok(await signsIn(address, user), address)
    for (const address of [stranger(0), '192.0.2.200', '2a00:1:2:4::1'])
      assert.equal(codeOf(await loginFrom(address, user)), 'INVALID_CREDENTIALS', address)
  })

  it('share one limit, which sign-ins from known addresses do not reset', async () => {
    const user = await store.newUser()
    assert.ok(await signsIn(HOME, user))
    await failFrom(stranger, user, MAX_FAILURES - 1)
    assert.ok(await signsIn(HOME, user))
    await failFrom(() => '192.0.2.77', user, 1)
    assert.equal(await signsIn('192.0.2.78', user), false)
  })

  it('are reset by a sign-in from a new address', async () => {
    const user = await store.newUser()
    await failFrom(stranger, user, MAX_FAILURES - 1)
    assert.ok(await signsIn('192.0.2.1', user))
    await failFrom(stranger, user, MAX_FAILURES - 1)
    assert.ok(await signsIn('192.0.2.2', user))
  })
})

describe('a known address', () => {
  it('has its own limit, which locks no other address', async () => {
    const user = await store.newUser()
    assert.ok(await signsIn(HOME, user))
    assert.ok(await signsIn(OFFICE, user))
    await failFrom(() => HOME, user, MAX_FAILURES)
    assert.equal(await signsIn(HOME, user), false)
    assert.ok(await signsIn(OFFICE, user))
    assert.ok(await signsIn('192.0.2.3', user))
    await sql`update known_addresses set locked_until = now() where user_id = ${user.id}`.execute(store.db)
    assert.ok(await signsIn(HOME, user))
  })

  it('counts parallel failures, and a sign-in resets its counter', async () => {
    const user = await store.newUser()
    assert.ok(await signsIn(HOME, user))
    await failFrom(() => HOME, user, MAX_FAILURES - 1)
    assert.ok(await signsIn(HOME, user))
    await Promise.all(
      Array.from({ length: MAX_FAILURES }, () => loginFrom(HOME, user, { password: 'wrong' })),
    )
    assert.equal(await signsIn(HOME, user), false)
  })

  it('is known for one user only', async () => {
    const [user, other] = [await store.newUser(), await store.newUser()]
    assert.ok(await signsIn(HOME, other))
    await failFrom(stranger, user, MAX_FAILURES)
    assert.equal(await signsIn(HOME, user), false)
  })

  it('counts wrong codes too, and the lock stops guessing codes and passwords in a session', async () => {
    const user = await store.newUser()
    const secret = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
    const code = () => new TOTP({ secret }).generate({ timestamp: now })
    const tfa = (path: string, body: object) =>
      store.call('POST', `/users/me/tfa/${path}`, {
        bearer: user.bearer,
        body,
        headers: { 'x-forwarded-for': HOME },
      })
    assert.ok(await signsIn(HOME, user))
    assert.equal((await tfa('enable', { secret, otp: code() })).status, 204)
    now += 30_000
    const wrong = code() === '000000' ? '111111' : '000000'
    for (let n = 0; n < MAX_FAILURES - 2; n++)
      assert.equal(codeOf(await loginFrom(HOME, user, { otp: wrong })), 'INVALID_OTP')
    assert.equal((await tfa('disable', { otp: wrong })).status, 400)
    assert.equal((await tfa('generate', { password: 'wrong' })).status, 401)
    assert.equal(codeOf(await loginFrom(HOME, user, { otp: code() })), 'INVALID_CREDENTIALS')
    assert.equal((await tfa('disable', { otp: code() })).status, 400)
    assert.equal((await tfa('generate', { password: PASSWORD })).status, 401)
    assert.ok(await signsIn('192.0.2.9', user, { otp: code() }))
  })

  it('is one of the 20 with the latest sign-ins', async () => {
    const user = await store.newUser()
    const nth = (n: number) => `198.51.100.${n + 1}`
    for (let n = 0; n < 21; n++) assert.ok(await signsIn(nth(n), user))
    await failFrom(stranger, user, MAX_FAILURES)
    assert.equal(await signsIn(nth(0), user), false)
    for (const n of [1, 20]) assert.ok(await signsIn(nth(n), user), nth(n))
    const rows = await store.db
      .selectFrom('known_addresses')
      .select('address')
      .where('user_id', '=', user.id)
      .execute()
    assert.equal(rows.length, 20)
  })

  it('expires 90 days after its last sign-in', async () => {
    const user = await store.newUser()
    assert.ok(await signsIn(HOME, user))
    const age = (days: number) =>
      sql`update known_addresses set last_login_at = now() - make_interval(days => ${days}) where user_id = ${user.id}`.execute(
        store.db,
      )
    await failFrom(stranger, user, MAX_FAILURES)
    await age(89)
    assert.ok(await signsIn(HOME, user))
    await age(91)
    assert.equal(await signsIn(HOME, user), false)
  })
})
