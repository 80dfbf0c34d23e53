import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { testDatabase } from '../../test/support/database.ts'
import { StoreError } from '../errors.ts'
import { codeOf } from '../testing/client.ts'
import { ADMIN, CHEAP, startStoreInProcess } from '../testing/store-in-process.ts'
import { type BoundedQueue, createBoundedQueue } from './bounded-queue.ts'
import { createPasswords, PASSWORD_COST } from './passwords.ts'

/** Work that runs until the test ends it. */
function heldWork() {
  const started: number[] = []
  const held = new Map<number, PromiseWithResolvers<number>>()
  const workOf = (id: number) => held.get(id) ?? assert.fail(`work ${id} has not started`)
  return {
    started,
    end: (id: number) => workOf(id).resolve(id),
    break: (id: number) => workOf(id).reject(new Error('broken')),
    begin: (id: number) => () => {
      started.push(id)
      const promise = Promise.withResolvers<number>()
      held.set(id, promise)
      return promise.promise
    },
  }
}

describe('password hashing', { timeout: 60_000 }, () => {
  it('runs at most two hashes at the same time; others wait in order', async () => {
    const queue = createBoundedQueue({ maxRunning: 2, maxWaiting: 10, retryAfterSeconds: 1 })
    const work = heldWork()
    const done = [1, 2, 3, 4].map((id) => queue(work.begin(id)))
    assert.deepEqual(work.started, [1, 2])
    work.end(2)
    await done[1]
    await turn()
    assert.deepEqual(work.started, [1, 2, 3])
    work.end(1)
    await done[0]
    await turn()
    assert.deepEqual(work.started, [1, 2, 3, 4])
    work.end(3)
    work.end(4)
    assert.deepEqual(await Promise.all(done), [1, 2, 3, 4])
  })

  it('continues after a failure', async () => {
    const queue = createBoundedQueue({ maxRunning: 1, maxWaiting: 1, retryAfterSeconds: 1 })
    const work = heldWork()
    const first = queue(work.begin(1))
    const second = queue(work.begin(2))
    work.break(1)
    await assert.rejects(first, /broken/)
    await turn()
    work.end(2)
    assert.equal(await second, 2)
    assert.equal(await queue(async () => 3), 3)
  })

  it('rejects calls when the queue is full', async () => {
    const queue = createBoundedQueue({ maxRunning: 1, maxWaiting: 1, retryAfterSeconds: 7 })
    const work = heldWork()
    const accepted = [queue(work.begin(1)), queue(work.begin(2))]
    await assert.rejects(
      queue(work.begin(3)),
      (error) => error instanceof StoreError && error.retryAfter === 7,
    )
    work.end(1)
    await accepted[0]
    await turn()
    work.end(2)
    await accepted[1]
  })

  it('responds with 503 and Retry-After when too many logins wait', async (t) => {
    const queue = createBoundedQueue({ maxRunning: 1, maxWaiting: 0, retryAfterSeconds: 2 })
    const store = await startStoreInProcess(
      await testDatabase(),
      {},
      { passwords: createPasswords(CHEAP, { login: queue, account: queue }) },
    )
    t.after(() => store.stop())
    const work = heldWork()
    const busy = queue(work.begin(1))
    const response = await store.login(ADMIN.email, ADMIN.password)
    assert.deepEqual(
      [response.status, codeOf(response), response.headers.get('retry-after')],
      [503, 'SERVICE_UNAVAILABLE', '2'],
    )
    work.end(1)
    await busy
    assert.equal((await store.login(ADMIN.email, ADMIN.password)).status, 200)
  })

  it('uses argon2id with the parameters of OWASP', async () => {
    assert.match(await createPasswords().hash('any'), /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.deepEqual(PASSWORD_COST, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  })

  it('also hashes for an unknown user, and never accepts the password', async () => {
    let hashes = 0
    const counting: BoundedQueue = (work) => {
      hashes++
      return work()
    }
    const passwords = createPasswords(CHEAP, { login: counting, account: counting })
    assert.equal(await passwords.verify(null, 'any'), false)
    assert.equal(await passwords.verifyLogin(null, 'any'), false)
    assert.equal(hashes, 2)
  })
})
