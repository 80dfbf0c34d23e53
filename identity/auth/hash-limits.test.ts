import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { testDatabase } from '../../test/support/database.ts'
import { type Answer, codeOf } from '../testing/client.ts'
import { CHEAP, type Store, startStoreInProcess } from '../testing/store-in-process.ts'
import { createGate, type Gate } from './gate.ts'
import {
  NEW_ADDRESS_LOGINS_PER_MINUTE,
  OTHER_PASSWORDS_PER_MINUTE,
  OWN_PASSWORDS_PER_MINUTE,
} from './hash-limits.ts'
import { ACCOUNT_QUEUE_SIZE, createPasswords } from './passwords.ts'

/** A queue whose work starts when the test opens it. */
function closedQueue(): Gate & { waiting(): number; open(): void } {
  const opened = Promise.withResolvers<void>()
  let waiting = 0
  return {
    async run(work) {
      waiting++
      await opened.promise
      return work()
    },
    waiting: () => waiting,
    open: opened.resolve,
  }
}

const PASSWORD = 'a password of the tests'
/** More than the limit by far, and few enough for a busy machine. */
const FLOOD = 60

describe('a flood of password changes', () => {
  let store: Store
  const now = 1_800_000_000_000
  const account = closedQueue()

  before(async () => {
    const login = createGate({ atOnce: 2, waiting: 100, retryAfterSeconds: 1 })
    store = await startStoreInProcess(
      await testDatabase(),
      { RATE_LIMITS: 'on' },
      { passwords: createPasswords(CHEAP, { login, account }), clock: { now: () => now } },
    )
  })
  after(() => store.stop())

  it('by one signed-in user is refused with 429, and sign-ins of others do not wait for it', async () => {
    const other = { id: newId(), email: 'other@example.com' }
    const password_hash = await createPasswords(CHEAP).hash(PASSWORD)
    await store.db
      .insertInto('users')
      .values({ ...other, password_hash })
      .execute()
    const bearer = await store.adminToken()
    const refused = FLOOD - OWN_PASSWORDS_PER_MINUTE
    const answers: Answer[] = []
    const allRefused = Promise.withResolvers<void>()
    const flood = Array.from({ length: FLOOD }, async (_, n) => {
      const body = { password: `${PASSWORD} ${n}` }
      const answer = await store.call('PATCH', '/users/me', { bearer, body })
      if (answers.push(answer) === refused) allRefused.resolve()
      return answer
    })
    await allRefused.promise
    // The changes that were let in still wait for the closed queue; logins go through.
    assert.equal(account.waiting(), OWN_PASSWORDS_PER_MINUTE)
    for (let time = 0; time < 5; time++) assert.equal((await store.login(other.email, PASSWORD)).status, 200)
    assert.equal(answers.length, refused)
    for (const answer of answers) {
      assert.deepEqual([answer.status, codeOf(answer)], [429, 'REQUESTS_EXCEEDED'])
      assert.equal(answer.headers.get('retry-after'), '6')
      assert.equal(answer.body.errors[0].extensions.limit, OWN_PASSWORDS_PER_MINUTE)
      assert.equal(answer.body.errors[0].extensions.reset, new Date(now + 6_000).toISOString())
    }
    account.open()
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, OWN_PASSWORDS_PER_MINUTE)
  })
})

describe('everything that hashes is limited per user', () => {
  let store: Store
  let now = 1_800_000_000_000
  let count = 0

  before(async () => {
    store = await startStoreInProcess(
      await testDatabase(),
      { RATE_LIMITS: 'on', TRUSTED_PROXIES: '127.0.0.1' },
      { clock: { now: () => now } },
    )
  })
  after(() => store.stop())

  async function newPerson() {
    // A minute later the administrator's own limit is untouched again.
    now += 60_000
    const token = `token-of-the-person-${++count}`
    const made = await store.call('POST', '/users', {
      bearer: await store.adminToken(),
      body: { email: `person-${count}@example.com`, password: PASSWORD, token },
    })
    assert.equal(made.status, 200)
    return { id: made.body.data.id as string, bearer: token }
  }
  async function statusesOf(times: number, request: (n: number) => Promise<Answer>): Promise<number[]> {
    const statuses = []
    for (let n = 0; n < times; n++) statuses.push((await request(n)).status)
    return statuses
  }
  const times = (length: number, status: number) => Array.from({ length }, () => status)

  it('own password changes and confirmations share one limit, and names are free', async () => {
    const person = await newPerson()
    const confirm = () =>
      store.call('POST', '/users/me/tfa/generate', { bearer: person.bearer, body: { password: PASSWORD } })
    const change = () =>
      store.call('PATCH', '/users/me', { bearer: person.bearer, body: { password: PASSWORD } })
    assert.deepEqual(await statusesOf(5, confirm), times(5, 200))
    assert.deepEqual(await statusesOf(6, change), [...times(5, 200), 429])
    assert.equal((await confirm()).status, 429)
    const rename = await store.call('PATCH', '/users/me', {
      bearer: person.bearer,
      body: { first_name: 'Ada' },
    })
    assert.equal(rename.status, 200)
    const other = await newPerson()
    assert.equal(
      (await store.call('PATCH', '/users/me', { bearer: other.bearer, body: { password: PASSWORD } })).status,
      200,
    )
    assert.equal((await change()).status, 200)
  })

  it('users created and changed by an administrator share one limit, and requests without a password are free', async () => {
    const person = await newPerson()
    now += 60_000
    const admin = await store.adminToken()
    const create = (n: number) =>
      store.call('POST', '/users', {
        bearer: admin,
        body: { email: `made-${n}@example.com`, password: PASSWORD },
      })
    const change = (body: object) => store.call('PATCH', `/users/${person.id}`, { bearer: admin, body })
    const half = OTHER_PASSWORDS_PER_MINUTE / 2
    assert.deepEqual(await statusesOf(half, create), times(half, 200))
    assert.deepEqual(await statusesOf(half, () => change({ password: PASSWORD })), times(half, 200))
    assert.equal(codeOf(await change({ password: PASSWORD })), 'REQUESTS_EXCEEDED')
    assert.equal(codeOf(await create(half)), 'REQUESTS_EXCEEDED')
    assert.equal((await change({ first_name: 'Ada' })).status, 200)
    assert.equal((await store.call('POST', '/users', { bearer: admin, body: {} })).status, 200)
    const stranger = await store.call('POST', '/users', {
      bearer: person.bearer,
      body: { password: PASSWORD },
    })
    assert.equal(codeOf(stranger), 'FORBIDDEN')
  })

  it('logins to one account from new addresses share one limit, and its known addresses are not affected', async () => {
    now += 60_000
    const person = await newPerson()
    const email = `person-${count}@example.com`
    const loginFrom = (address: string, to: string) =>
      store.call('POST', '/auth/login', {
        body: { email: to, password: PASSWORD },
        headers: { 'x-forwarded-for': address },
      })
    assert.ok(person.id)
    assert.equal((await loginFrom('198.51.100.1', email)).status, 200)
    for (const to of [email, 'nobody@example.com']) {
      now += 60_000
      for (let n = 0; n < NEW_ADDRESS_LOGINS_PER_MINUTE; n++) {
        const answer = await store.call('POST', '/auth/login', {
          body: { email: n % 2 ? to : to.toUpperCase(), password: 'wrong' },
          headers: { 'x-forwarded-for': `203.0.113.${n}` },
        })
        assert.equal(answer.status, 401)
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
