import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { codeOf, type HttpResponse } from '../testing/client.ts'
import { CHEAP, PASSWORD, useStore } from '../testing/store-in-process.ts'
import { type BoundedQueue, createBoundedQueue } from './bounded-queue.ts'
import {
  NEW_ADDRESS_LOGINS_PER_MINUTE,
  OTHER_PASSWORDS_PER_MINUTE,
  OWN_PASSWORDS_PER_MINUTE,
} from './hash-limits.ts'
import { ACCOUNT_QUEUE_SIZE, createPasswords } from './passwords.ts'

/** A queue that runs nothing until the test opens it. */
function closedQueue() {
  const opened = Promise.withResolvers<void>()
  let waiting = 0
  const queue: BoundedQueue = async (work) => {
    waiting++
    await opened.promise
    return work()
  }
  return { queue, waiting: () => waiting, open: opened.resolve }
}

/** Far above the limit, and few enough for a busy machine. */
const FLOOD = 60

describe('a flood of password changes', () => {
  const now = 1_800_000_000_000
  const account = closedQueue()
  const login = createBoundedQueue({ maxRunning: 2, maxWaiting: 100, retryAfterSeconds: 1 })
  const passwords = createPasswords(CHEAP, { login, account: account.queue })
  const store = useStore({ RATE_LIMITS: 'on' }, { passwords, clock: { now: () => now } })

  it('by one user gets 429 and does not delay logins of others', async () => {
    const other = { id: newId(), email: 'other@example.com' }
    const password_hash = await createPasswords(CHEAP).hash(PASSWORD)
    await store.db
      .insertInto('users')
      .values({ ...other, password_hash })
      .execute()
    const bearer = await store.adminToken()
    const refused = FLOOD - OWN_PASSWORDS_PER_MINUTE
    const rejected: HttpResponse[] = []
    const allRefused = Promise.withResolvers<void>()
    const flood = Array.from({ length: FLOOD }, async (_, n) => {
      const body = { password: `${PASSWORD} ${n}` }
      const response = await store.call('PATCH', '/users/me', { bearer, body })
      if (rejected.push(response) === refused) allRefused.resolve()
      return response
    })
    await allRefused.promise
    // The accepted changes still wait for the closed queue; logins succeed.
    assert.equal(account.waiting(), OWN_PASSWORDS_PER_MINUTE)
    for (let time = 0; time < 5; time++) assert.equal((await store.login(other.email, PASSWORD)).status, 200)
    assert.equal(rejected.length, refused)
    for (const response of rejected) {
      assert.deepEqual([response.status, codeOf(response)], [429, 'REQUESTS_EXCEEDED'])
      assert.equal(response.headers.get('retry-after'), '6')
      assert.equal(response.body.errors[0].extensions.limit, OWN_PASSWORDS_PER_MINUTE)
      assert.equal(response.body.errors[0].extensions.reset, new Date(now + 6_000).toISOString())
    }
    account.open()
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, OWN_PASSWORDS_PER_MINUTE)
  })
})

describe('everything that hashes is limited per user', () => {
  let now = 1_800_000_000_000
  const settings = { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' }
  const store = useStore(settings, { clock: { now: () => now } })

  /** After a minute the limit of the administrator is full again. */
  function newUser() {
    now += 60_000
    return store.newUser()
  }
  async function statusesOf(times: number, request: (n: number) => Promise<HttpResponse>): Promise<number[]> {
    const statuses = []
    for (let n = 0; n < times; n++) statuses.push((await request(n)).status)
    return statuses
  }
  const times = (length: number, status: number) => Array.from({ length }, () => status)

  it('own password changes and confirmations share one limit; other changes are not limited', async () => {
    const user = await newUser()
    const confirm = () =>
      store.call('POST', '/users/me/tfa/generate', { bearer: user.bearer, body: { password: PASSWORD } })
    const change = () =>
      store.call('PATCH', '/users/me', { bearer: user.bearer, body: { password: PASSWORD } })
    assert.deepEqual(await statusesOf(5, confirm), times(5, 200))
    assert.deepEqual(await statusesOf(6, change), [...times(5, 200), 429])
    assert.equal((await confirm()).status, 429)
    const rename = await store.call('PATCH', '/users/me', {
      bearer: user.bearer,
      body: { first_name: 'Ada' },
    })
    assert.equal(rename.status, 200)
    const other = await newUser()
    assert.equal(
      (await store.call('PATCH', '/users/me', { bearer: other.bearer, body: { password: PASSWORD } })).status,
      200,
    )
    assert.equal((await change()).status, 200)
  })

  it('users created and changed by an administrator share one limit; requests without a password are not limited', async () => {
    const user = await newUser()
    now += 60_000
    const admin = await store.adminToken()
    const create = (n: number) =>
      store.call('POST', '/users', {
        bearer: admin,
        body: { email: `made-${n}@example.com`, password: PASSWORD },
      })
    const change = (body: object) => store.call('PATCH', `/users/${user.id}`, { bearer: admin, body })
    const half = OTHER_PASSWORDS_PER_MINUTE / 2
    assert.deepEqual(await statusesOf(half, create), times(half, 200))
    assert.deepEqual(await statusesOf(half, () => change({ password: PASSWORD })), times(half, 200))
    assert.equal(codeOf(await change({ password: PASSWORD })), 'REQUESTS_EXCEEDED')
    assert.equal(codeOf(await create(half)), 'REQUESTS_EXCEEDED')
    assert.equal((await change({ first_name: 'Ada' })).status, 200)
    assert.equal((await store.call('POST', '/users', { bearer: admin, body: {} })).status, 200)
    const stranger = await store.call('POST', '/users', {
      bearer: user.bearer,
      body: { password: PASSWORD },
    })
    assert.equal(codeOf(stranger), 'FORBIDDEN')
  })

  it('logins to one account from new addresses share one limit, which does not affect known addresses', async () => {
    now += 60_000
    const { email } = await newUser()
    const loginFrom = (address: string, to: string) =>
      store.call('POST', '/auth/login', {
        body: { email: to, password: PASSWORD },
        headers: { 'x-forwarded-for': address },
      })
    assert.equal((await loginFrom('198.51.100.1', email)).status, 200)
    for (const to of [email, 'unknown@example.com']) {
      now += 60_000
      for (let n = 0; n < NEW_ADDRESS_LOGINS_PER_MINUTE; n++) {
        const response = await store.call('POST', '/auth/login', {
          body: { email: n % 2 ? to : to.toUpperCase(), password: 'wrong' },
          headers: { 'x-forwarded-for': `203.0.113.${n}` },
        })
        assert.equal(response.status, 401)
      }
      const refused = await loginFrom('192.0.2.1', to)
      assert.deepEqual([refused.status, codeOf(refused)], [429, 'REQUESTS_EXCEEDED'])
      assert.equal(refused.headers.get('retry-after'), '2')
    }
    assert.equal((await loginFrom('198.51.100.1', email)).status, 200)
  })

  it('one user cannot fill the queue', () => {
    assert.ok(OWN_PASSWORDS_PER_MINUTE + OTHER_PASSWORDS_PER_MINUTE < ACCOUNT_QUEUE_SIZE)
  })
})
