import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { TOTP } from 'otpauth'
import { testDatabase } from '../../test/support/database.ts'
import { codeOf } from '../testing/client.ts'
import { type Store, startStoreInProcess } from '../testing/store-in-process.ts'

const PASSWORD = 'the right password'
const STEP_MS = 30_000

describe('after 25 failures in a row', () => {
  let store: Store
  let bearer: string
  let count = 0
  let now = 1_800_000_000_000

  before(async () => {
    store = await startStoreInProcess(await testDatabase(), {}, { clock: { now: () => now } })
    bearer = await store.adminToken()
  })
  after(() => store.stop())

  async function newUser(): Promise<string> {
    const email = `user-${++count}@example.com`
    const made = await store.call('POST', '/users', {
      bearer,
      body: { email, password: PASSWORD, token: `token-of-the-user-${count}` },
    })
    assert.equal(made.status, 200)
    return email
  }
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

  it('the right password is refused exactly like a wrong one', async () => {
    const email = await newUser()
    await fail(email, 24)
    assert.equal((await userRow(email)).locked_until, null)
    const wrong = await store.login(email, 'wrong')
    const right = await store.login(email, PASSWORD)
    assert.deepEqual([right.status, right.body], [wrong.status, wrong.body])
  })

  it('the lock ends by itself, is not prolonged by more failures, and counting begins anew', async () => {
    const email = await newUser()
    await fail(email, 25)
    const { locked_until } = await userRow(email)
    await fail(email, 3)
    assert.equal((await userRow(email)).locked_until, locked_until)
    await endLock(email)
    await fail(email, 1)
    assert.deepEqual(await userRow(email), { failed_logins: 1, locked_until: null })
    assert.equal((await store.login(email, PASSWORD)).status, 200)
  })

  it('the lock has ended for the right password too', async () => {
    const email = await newUser()
    await fail(email, 25)
    await endLock(email)
    assert.equal((await store.login(email, PASSWORD)).status, 200)
    assert.deepEqual(await userRow(email), { failed_logins: 0, locked_until: null })
  })

  it('guesses in parallel are all counted', async () => {
    const email = await newUser()
    await Promise.all(Array.from({ length: 25 }, () => store.login(email, 'wrong')))
    assert.equal((await store.login(email, PASSWORD)).status, 401)
    assert.equal((await userRow(email)).failed_logins, 25)
  })

  it('a success in between starts the count again', async () => {
    const email = await newUser()
    await fail(email, 24)
    assert.equal((await store.login(email, PASSWORD)).status, 200)
    await fail(email, 24)
    assert.equal((await store.login(email, PASSWORD)).status, 200)
  })

  it('many right logins at once lock nobody out', async () => {
    const email = await newUser()
    const answers = await Promise.all(Array.from({ length: 40 }, () => store.login(email, PASSWORD)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  })

  it('wrong codes count like wrong passwords, a missing code does not, and a lock hides that a code is wanted', async () => {
    const email = await newUser()
    const own = { bearer: `token-of-the-user-${count}` }
    const secret = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
    const codeNow = () => new TOTP({ secret }).generate({ timestamp: now })
    await store.call('POST', '/users/me/tfa/enable', { ...own, body: { secret, otp: codeNow() } })
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
    assert.equal((await store.call('POST', '/users/me/tfa/disable', { ...own, body: { otp } })).status, 400)
    await endLock(email)
    assert.equal((await store.login(email, PASSWORD, { otp })).status, 200)
  })
})
