import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { codeOf } from '../testing/client.ts'
import { PASSWORD, startStoreInProcess, useStore } from '../testing/store-in-process.ts'

const SECRET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const MODES = ['json', 'cookie', 'session'] as const
const STEP_MS = 30_000

describe('a one-time code', () => {
  let now = 1_800_000_000_000
  const store = useStore({}, { clock: { now: () => now } })

  const code = () => new TOTP({ secret: SECRET }).generate({ timestamp: now })
  const nextStep = () => {
    now += STEP_MS
  }
  const tfa = (user: { bearer: string }, path: string, body: object) =>
    store.call('POST', `/users/me/tfa/${path}`, { bearer: user.bearer, body })
  /** Failed logins of a user, from all client addresses. */
  const failuresOf = async (email: string) => {
    const { rows } = await sql<{ failures: number }>`
      select failed_logins + coalesce((select sum(failed_logins) from known_addresses where user_id = id), 0)::integer
        as failures
      from users where email = ${email}`.execute(store.db)
    return rows[0]?.failures ?? assert.fail('no such user')
  }

  /** A user with a second factor, in a step whose code is still unused. */
  async function newTfaUser() {
    const user = await store.newUser()
    assert.equal((await tfa(user, 'enable', { secret: SECRET, otp: code() })).status, 204)
    nextStep()
    return user
  }

  for (const mode of MODES) {
    it(`works once, and the next one works too, in mode ${mode}`, async () => {
      const { email } = await newTfaUser()
      const login = () => store.login(email, PASSWORD, { mode, otp: code() })
      assert.equal((await login()).status, 200)
      for (const other of MODES) {
        const again = await store.login(email, PASSWORD, { mode: other, otp: code() })
        assert.deepEqual([again.status, codeOf(again)], [401, 'INVALID_OTP'])
      }
      nextStep()
      assert.equal((await login()).status, 200)
    })

    it(`that is not six digits counts as a wrong code, in mode ${mode}`, async () => {
      const { email } = await newTfaUser()
      // All but the last have as many UTF-16 units as a code has digits, or as many bytes.
      const codes = [
        '12345é',
        '１２３４５６',
        '٤٢٤٢٤٢',
        'ééé',
        '💥💥💥',
        '12345\0',
        '\ud800\ud800\ud800\ud800\ud800\ud800',
        ' ',
      ]
      for (const otp of codes) {
        const response = await store.login(email, PASSWORD, { mode, otp })
        assert.deepEqual([response.status, codeOf(response)], [401, 'INVALID_OTP'], JSON.stringify(otp))
      }
      assert.equal(await failuresOf(email), codes.length)
      assert.equal((await store.login(email, PASSWORD, { mode, otp: code() })).status, 200)
    })
  }

  it('works for exactly one of many parallel logins', async () => {
    const { email } = await newTfaUser()
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_, n) => store.login(email, PASSWORD, { mode: MODES[n % 3], otp: code() })),
    )
    const outcomes = responses.map((response) => (response.status === 200 ? 'signed in' : codeOf(response)))
    assert.deepEqual(outcomes.toSorted(), [...Array<string>(11).fill('INVALID_OTP'), 'signed in'])
  })

  it('that was used for a login is rejected by another process on the same database', async (t) => {
    const { email } = await newTfaUser()
    assert.equal((await store.login(email, PASSWORD, { otp: code() })).status, 200)
    const second = await startStoreInProcess(
      { url: store.databaseUrl, drop: async () => {} },
      {},
      { clock: { now: () => now } },
    )
    t.after(() => second.stop())
    assert.equal(codeOf(await second.login(email, PASSWORD, { otp: code() })), 'INVALID_OTP')
  })

  it('counts as a failure when it is used again', async () => {
    const { email } = await newTfaUser()
    assert.equal((await store.login(email, PASSWORD, { otp: code() })).status, 200)
    const before = await failuresOf(email)
    await store.login(email, PASSWORD, { otp: code() })
    assert.equal(await failuresOf(email), before + 1)
  })

  it('with a wrong password stays unused', async () => {
    const { email } = await newTfaUser()
    assert.equal(codeOf(await store.login(email, 'wrong', { otp: code() })), 'INVALID_CREDENTIALS')
    assert.equal((await store.login(email, PASSWORD, { otp: code() })).status, 200)
  })

  it('that enabled the second factor does not sign in', async () => {
    const user = await store.newUser()
    assert.equal((await tfa(user, 'enable', { secret: SECRET, otp: code() })).status, 204)
    assert.equal(codeOf(await store.login(user.email, PASSWORD, { otp: code() })), 'INVALID_OTP')
    nextStep()
    assert.equal((await store.login(user.email, PASSWORD, { otp: code() })).status, 200)
  })

  it('that signed in does not disable the second factor, and an unused one does once', async () => {
    const user = await newTfaUser()
    assert.equal((await store.login(user.email, PASSWORD, { otp: code() })).status, 200)
    assert.equal(codeOf(await tfa(user, 'disable', { otp: code() })), 'INVALID_PAYLOAD')
    nextStep()
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => tfa(user, 'disable', { otp: code() })),
    )
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [204, ...Array<number>(7).fill(400)])
    assert.equal((await store.login(user.email, PASSWORD)).status, 200)
  })

  it('that is not six digits neither enables nor disables the second factor', async () => {
    const user = await store.newUser()
    for (const otp of ['12345é', '１２３４５６', '💥💥💥'])
      assert.equal(codeOf(await tfa(user, 'enable', { secret: SECRET, otp })), 'INVALID_PAYLOAD')
    const withTfa = await newTfaUser()
    for (const otp of ['12345é', '１２３４５６', '💥💥💥'])
      assert.equal(codeOf(await tfa(withTfa, 'disable', { otp })), 'INVALID_PAYLOAD')
    assert.equal(await failuresOf(withTfa.email), 3)
  })

  it('of a new authenticator is accepted in the step in which the old one was removed', async () => {
    const user = await newTfaUser()
    assert.equal((await tfa(user, 'disable', { otp: code() })).status, 204)
    const secret = 'ZYXWVUTSRQPONMLKJIHGFEDCBA765432'
    const otp = new TOTP({ secret }).generate({ timestamp: now })
    assert.equal((await tfa(user, 'enable', { secret, otp })).status, 204)
  })
})
