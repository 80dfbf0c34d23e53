import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeasedQueue } from '../statements/lease-queues.ts'
import type { EndpointQueue } from './endpoint-queue.ts'
import { createHeldQueues, type HeldQueues } from './held-queues.ts'

const NEW = { isHealthy: false }

const leased = (count: number, organisationId: string, history = {}): LeasedQueue[] =>
  Array.from({ length: count }, (_, n) => ({
    webhookId: `${organisationId} ${n}`,
    organisationId,
    fence: 1,
    isHealthy: true,
    takenOver: false,
    ...history,
  }))

test('queues that do not fit into one claim are in the next, before any queue is claimed again', () => {
  const queues = createHeldQueues()
  queues.hold(leased(120, 'flood'))
  const claimed = Array.from({ length: 3 }, () =>
    [...queues.takeShares(0).keys()].map(({ webhookId }) => webhookId),
  ).flat()
  assert.equal(new Set(claimed.slice(0, 120)).size, 120)
  assert.equal(claimed[120], claimed[0])
})

test('every organisation is claimed from before any is claimed from again, however many queues the first have', () => {
  const queues = createHeldQueues()
  const names = Array.from({ length: 80 }, (_, n) => `organisation ${n}`)
  queues.hold(names.flatMap((name) => leased(10, name)))
  const claimed = Array.from({ length: 2 }, () =>
    [...queues.takeShares(0).keys()].map(({ organisationId }) => organisationId),
  ).flat()
  assert.deepEqual(claimed.slice(0, 80), names)
  assert.equal(claimed[80], names[0])
})

test('a small organisation is in the next claim, however many queues of another wait', () => {
  const queues = createHeldQueues()
  queues.hold([...leased(1000, 'flood'), ...leased(1, 'small')])
  const [claimed] = [...queues.takeShares(0).keys()].filter(
    ({ organisationId }) => organisationId === 'small',
  )
  assert.equal(claimed?.webhookId, 'small 0')
})

/** Begins requests until no more can be claimed, as if no receiver responded. Returns the number of each queue's requests. */
function claimAll(queues: HeldQueues, now: number): Map<string, number> {
  const begun = new Map<string, number>()
  for (let shares = queues.takeShares(now); shares.size > 0; shares = queues.takeShares(now)) {
    for (const [queue, slots] of shares) {
      for (let n = 0; n < slots; n++) queues.begin(queue, `${queue.webhookId} ${queue.inFlight.size}`)
      queue.activeAt = now
      begun.set(queue.webhookId, queue.inFlight.size)
    }
  }
  return begun
}

const result = (success: boolean, totalMs: number) => ({
  success,
  timings: { firstByteMs: totalMs, totalMs },
})

test('thousands of webhooks that hang give the slots of quick ones free after a second', () => {
  const queues = createHeldQueues(11_000)
  for (let n = 0; n < 10; n++) queues.hold(leased(50, `organisation ${n}`))
  claimAll(queues, 0)
  const hanging = queues.inFlight
  assert.ok(hanging > 3_500, `${hanging} in flight`)
  queues.hold(leased(250, 'later'))
  assert.ok(claimAll(queues, 900).size < 60)
  const claimed = claimAll(queues, 2_000)
  assert.ok(claimed.size > 190)
  assert.ok([...claimed.values()].every((count) => count === 8))
})

test('new and failing webhooks leave slots to the others, however many there are', () => {
  const queues = createHeldQueues(4_000)
  for (let n = 0; n < 10; n++) queues.hold(leased(1_000, `organisation ${n}`, NEW))
  claimAll(queues, 0)
  const without = queues.inFlight
  assert.ok(without > 1_500 && without <= 2_000, `${without} in flight to new webhooks`)
  queues.hold(leased(50, 'later'))
  assert.equal(claimAll(queues, 0).size, 50)
  assert.equal(queues.inFlight, without + 400)
})

test('a queue has one request in flight until one succeeds, and again after a failure', () => {
  const queues = createHeldQueues()
  queues.hold(leased(1, 'new', NEW))
  const [[queue, slots] = []] = queues.takeShares(0)
  assert.ok(queue)
  assert.equal(slots, 1)
  const sharesAfter = (success: boolean) => {
    queues.begin(queue, 'a')
    queues.end(queue, 'a', result(success, 1))
    return queues.takeShares(0).get(queue)
  }
  assert.deepEqual([true, false, true].map(sharesAfter), [8, 1, 8])
})

test('a quick response makes a queue quick again, and a slow one makes it slow', () => {
  const queues = createHeldQueues()
  queues.hold(leased(1, 'one', NEW))
  const [queue] = queues.takeShares(0).keys() as Iterable<EndpointQueue> as [EndpointQueue]
  for (const [totalMs, isSlow] of [
    [20, false],
    [2_000, true],
    [999, false],
  ] as const) {
    queues.begin(queue, 'a')
    queues.end(queue, 'a', result(true, totalMs))
    assert.equal(queue.isSlow, isSlow)
    assert.equal(queues.inFlight, 0)
    assert.equal(queues.takeShares(0).get(queue), 8)
  }
})

test('a queue is in one claim at a time, is not handed over during it, and stays ready if it is woken during it', () => {
  const queues = createHeldQueues()
  queues.hold(leased(1, 'one'))
  const claiming = [...queues.takeShares(0).keys()]
  const [queue] = claiming as [EndpointQueue]
  queues.beginClaim(claiming)
  assert.equal(queues.takeShares(0).size, 0)
  assert.deepEqual(queues.takeAllIdle(), [])
  queues.wake(queue.webhookId)
  queues.markDrained(queue)
  queues.endClaim(claiming)
  assert.equal(queues.takeShares(0).get(queue), 8)
  queues.beginClaim(claiming)
  queues.markDrained(queue)
  queues.endClaim(claiming)
  assert.equal(queues.takeShares(0).size, 0)
  assert.deepEqual(queues.takeAllIdle(), [queue])
})
