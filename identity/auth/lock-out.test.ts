import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { codeOf } from '../testing/client.ts'
import { PASSWORD, useStore } from '../testing/store-in-process.ts'

const STEP_MS = 30_000

describe('login lock-out', () => {
  let now = 1_800_000_000_000
  const store = useStore({}, { clock: { now: () => now } })

  const fail = async (email: string, times: number) => {
    for (let time = 0; time < times; time++) assert.equal((await store.login(email, 'wrong')).status, 401)
  }
  const userRow = (email: string) =>
    store.db
      .selectFrom('users')
      .select(['failed_logins', 'locked_until'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
  const endLock = (email: string) =>
    store.db
      .updateTable('users')
      .set({ locked_until: '2020-01-01T00:00:00Z' })
      .where('email', '=', email)
      .execute()

  it('rejects the right password exactly like a wrong one after 25 failures in a row', async () => {
    const { email } = await store.newUser()
    await fail(email, 24)
    assert.equal((await userRow(email)).locked_until, null)
    const wrong = await store.login(email, 'wrong')
    const right = await store.login(email, PASSWORD)
    assert.deepEqual([right.status, right.body], [wrong.status, wrong.body])
  })

  it('ends the lock on time despite more failures, and counts from zero again', async () => {
    const { email } = await store.newUser()
    await fail(email, 25)
    const { locked_until } = await userRow(email)
    await fail(email, 3)
    assert.equal((await userRow(email)).locked_until, locked_until)
    await endLock(email)
    await fail(email, 1)
    assert.deepEqual(await userRow(email), { failed_logins: 1, locked_until: null })
    assert.equal((await store.login(email, PASSWORD)).status, 200)
  })

  it('accepts the right password after the lock', async () => {
    const { email } = await store.newUser()
    await fail(email, 25)
    await endLock(email)
    assert.equal((await store.login(email, PASSWORD)).status, 200)
    assert.deepEqual(await userRow(email), { failed_logins: 0, locked_until: null })
  })

  it('counts parallel guesses', async () => {
    const { email } = await store.newUser()
    await Promise.all(Array.from({ length: 25 }, () => store.login(email, 'wrong')))
    assert.equal((await store.login(email, PASSWORD)).status, 401)
    assert.equal((await userRow(email)).failed_logins, 25)
  })

  it('resets the counter after a success', async () => {
    const { email } = await store.newUser()
    await fail(email, 24)
    assert.equal((await store.login(email, PASSWORD)).status, 200)
    await fail(email, 24)
    assert.equal((await store.login(email, PASSWORD)).status, 200)
  })

  it('does not lock after many parallel successes', async () => {
    const { email } = await store.newUser()
    const responses = await Promise.all(Array.from({ length: 40 }, () => store.login(email, PASSWORD)))
    assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  })

  it('counts wrong one-time codes but not missing ones; a locked account does not show that it needs one', async () => {
    const { email, bearer } = await store.newUser()
    const secret = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
    const codeNow = () => new TOTP({ secret }).generate({ timestamp: now })
    await store.call('POST', '/users/me/tfa/enable', { bearer, body: { secret, otp: codeNow() } })
    now += STEP_MS
    const otp = codeNow()
    const wrongOtp = otp === '000000' ? '111111' : '000000'
    for (let time = 0; time < 25; time++) {
      assert.equal(codeOf(await store.login(email, PASSWORD)), 'INVALID_OTP')
      assert.equal(codeOf(await store.login(email, PASSWORD, { otp: wrongOtp })), 'INVALID_OTP')
    }
    for (const more of [{}, { otp: wrongOtp }, { otp }]) {
      assert.equal(codeOf(await store.login(email, PASSWORD, more)), 'INVALID_CREDENTIALS')
    }
    assert.equal((await store.call('POST', '/users/me/tfa/disable', { bearer, body: { otp } })).status, 400)
    await endLock(email)
    assert.equal((await store.login(email, PASSWORD, { otp })).status, 200)
  })
})
