import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LeasedQueue } from '../statements/lease-queues.ts'
import { adjustPrefetch, type EndpointQueue } from './endpoint-queue.ts'
import { createHeldQueues, type HeldQueues } from './held-queues.ts'

const NEW = { isHealthy: false }
const FAILING = { isHealthy: false, isFailing: true }

const leased = (count: number, organisationId: string, history = {}): LeasedQueue[] =>
  Array.from({ length: count }, (_, n) => ({
    webhookId: `${organisationId} ${n}`,
    organisationId,
    fence: 1,
    isHealthy: true,
    isFailing: false,
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
    for (const [queue, { slots }] of shares) {
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

test('webhooks that were never tried leave slots to the others, however many there are', () => {
  const queues = createHeldQueues(4_000)
  for (let n = 0; n < 10; n++) queues.hold(leased(1_000, `organisation ${n}`, NEW))
  claimAll(queues, 0)
  const without = queues.inFlight
  assert.ok(without > 1_500 && without <= 2_000, `${without} in flight to new webhooks`)
  queues.hold(leased(50, 'later'))
  assert.equal(claimAll(queues, 0).size, 50)
  assert.equal(queues.inFlight, without + 400)
})

test('failing webhooks have a quarter of the slots of those that were never tried', () => {
  const queues = createHeldQueues()
  for (let n = 0; n < 10; n++) queues.hold(leased(1_000, `organisation ${n}`, FAILING))
  claimAll(queues, 0)
  const toFailing = queues.inFlight
  assert.ok(toFailing > 900 && toFailing <= 1_024, `${toFailing} in flight to failing webhooks`)
  queues.hold(leased(100, 'new', NEW))
  assert.equal(claimAll(queues, 0).size, 100)
})

test('a failing webhook has its slots back when it responds quickly, whether or not it succeeds', () => {
  for (const [success, totalMs, pace] of [
    [true, 20, 'quick'],
    [true, 2_000, 'slow'],
    [false, 20, 'quick'],
    [false, 15_000, 'failing'],
  ] as const) {
    const queues = createHeldQueues()
    queues.hold(leased(1, 'one', FAILING))
    const [queue] = queues.takeShares(0).keys() as Iterable<EndpointQueue> as [EndpointQueue]
    queues.begin(queue, 'a')
    queues.end(queue, 'a', result(success, totalMs))
    assert.equal(queue.pace, pace)
    assert.equal(queues.inFlight, 0)
  }
})

test('a queue has one request in flight until one succeeds, and again after a failure', () => {
  const queues = createHeldQueues()
  queues.hold(leased(1, 'new', NEW))
  const [[queue, share] = []] = queues.takeShares(0)
  assert.ok(queue)
  assert.equal(share?.slots, 1)
  const sharesAfter = (success: boolean) => {
    queues.begin(queue, 'a')
    queues.end(queue, 'a', result(success, 1))
    return queues.takeShares(0).get(queue)?.slots
  }
  assert.deepEqual([true, false, true].map(sharesAfter), [8, 1, 8])
})

test('a quick response makes a queue quick again, and a slow one makes it slow', () => {
  const queues = createHeldQueues()
  queues.hold(leased(1, 'one', NEW))
  const [queue] = queues.takeShares(0).keys() as Iterable<EndpointQueue> as [EndpointQueue]
  for (const [totalMs, pace] of [
    [20, 'quick'],
    [2_000, 'slow'],
    [999, 'quick'],
  ] as const) {
    queues.begin(queue, 'a')
    queues.end(queue, 'a', result(true, totalMs))
    assert.equal(queue.pace, pace)
    assert.equal(queues.inFlight, 0)
    assert.equal(queues.takeShares(0).get(queue)?.slots, 8)
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
  assert.equal(queues.takeShares(0).get(queue)?.slots, 8)
  queues.beginClaim(claiming)
  queues.markDrained(queue)
  queues.endClaim(claiming)
  assert.equal(queues.takeShares(0).size, 0)
  assert.deepEqual(queues.takeAllIdle(), [queue])
})

const QUICK = result(true, 2)

/** A healthy queue with a backlog, whose claims are all full. */
function withBacklog(queues: HeldQueues, requestMs = 2) {
  queues.hold(leased(1, 'one'))
  const [queue] = queues.takeShares(0).keys() as Iterable<EndpointQueue> as [EndpointQueue]
  const sent: string[] = []
  let next = 0
  /** As a claim does: deliveries are sent as far as there are slots, and the rest is prefetched. */
  const claim = (now = performance.now()): number => {
    const share = queues.takeShares(now).get(queue)
    if (!share) return 0
    queue.claimedAt = now
    queue.hasMore = true
    adjustPrefetch(queue)
    const claimed = Array.from({ length: share.slots + share.prefetch }, () => `d${next++}`)
    const send = (id: string) => {
      sent.push(id)
      queues.begin(queue, id)
    }
    for (const id of claimed.slice(0, share.slots)) send(id)
    const later = claimed.slice(share.slots).map((id) => ({ id, claimedAt: now, send: () => send(id) }))
    queues.prefetch(queue, later, now)
    return claimed.length
  }
  const end = (count: number, how = result(true, requestMs)) => {
    for (const id of [...queue.inFlight].slice(0, count)) queues.end(queue, id, how)
  }
  const endAll = () => {
    while (queue.inFlight.size > 0) end(8)
  }
  return { queue, claim, end, endAll, sent }
}

test('a quick queue with a backlog claims more in advance each time, and sends it in order as requests end', () => {
  const { queue, claim, end, sent } = withBacklog(createHeldQueues())
  assert.equal(claim(), 8, 'nothing is known of the receiver yet')
  end(8)
  const sizes = [claim()]
  for (let turn = 0; turn < 3; turn++) {
    end(8)
    end(8)
    sizes.push(claim())
    assert.equal(queue.inFlight.size, 8)
  }
  assert.deepEqual(sizes, [8, 16, 24, 32])
  assert.deepEqual(
    sent,
    sent.map((_, n) => `d${n}`),
  )
})

test('nothing is claimed in advance for a receiver that takes a second, and little for one that takes 100 ms', () => {
  for (const [requestMs, most] of [
    [900, 0],
    [100, 8],
    [20, 40],
    [1, 56],
  ] as const) {
    const { queue, claim, endAll } = withBacklog(createHeldQueues(), requestMs)
    for (let turn = 0; turn < 8; turn++) {
      claim()
      endAll()
    }
    assert.equal(queue.prefetch, most)
  }
})

/** A queue that has 8 requests in flight and 56 deliveries in advance. */
function withPrefetched(queues: HeldQueues) {
  const backlog = withBacklog(queues)
  for (let turn = 0; turn < 5; turn++) {
    backlog.claim()
    backlog.endAll()
  }
  backlog.claim()
  assert.deepEqual([backlog.queue.inFlight.size, backlog.queue.prefetched.length], [8, 56])
  return backlog
}

const endFirst = (queues: HeldQueues, queue: EndpointQueue, how: Parameters<HeldQueues['end']>[2]) =>
  queues.end(queue, [...queue.inFlight][0] as string, how)

const DISCARDS: [string, (queues: HeldQueues, queue: EndpointQueue) => void][] = [
  ['after a failure', (queues, queue) => endFirst(queues, queue, result(false, 2))],
  ['after a request without a result', (queues, queue) => endFirst(queues, queue, null)],
  ['after a slow response', (queues, queue) => endFirst(queues, queue, result(true, 1_500))],
  ['when its requests hang', (queues) => void queues.takeShares(performance.now() + 2_000)],
  ['before it is handed over', (queues) => queues.beginLeaving('other', 1, performance.now())],
  ['when another dispatcher owns it', (queues, queue) => queues.drop(queue)],
  ['when the process stops', (queues) => queues.stopPrefetching()],
]
for (const [title, discard] of DISCARDS)
  test(`sends nothing more of what was claimed in advance ${title}`, () => {
    const queues = createHeldQueues()
    const { queue, end, sent } = withPrefetched(queues)
    const before = sent.length
    discard(queues, queue)
    end(8, QUICK)
    assert.equal(sent.length, before)
    assert.equal(queue.prefetched.length, 0)
  })

test('what was claimed in advance and not sent within 250 ms is claimed again', () => {
  const queues = createHeldQueues()
  const { queue, claim, end, sent } = withPrefetched(queues)
  for (const each of queue.prefetched) each.claimedAt -= 300
  const before = sent.length
  end(8)
  assert.deepEqual([sent.length, queue.prefetched.length], [before, 0])
  assert.ok(claim() >= 8)
})

test('a queue stops sending ahead while its organisation holds half of the slots', () => {
  const queues = createHeldQueues(16)
  const { queue, claim, end } = withBacklog(queues)
  claim()
  end(8)
  assert.equal(claim(), 8, 'no more than half of 16 slots')
  assert.equal(queue.prefetched.length, 0)
})

test('a discarded delivery is claimed again, although a claim that leaves it out is running', () => {
  const queues = createHeldQueues()
  const { queue } = withPrefetched(queues)
  queues.beginClaim([queue])
  endFirst(queues, queue, result(false, 2))
  queue.hasMore = false
  queues.markDrained(queue)
  queues.endClaim([queue])
  for (const id of queue.inFlight) queues.end(queue, id, QUICK)
  assert.equal(queues.takeShares(performance.now()).get(queue)?.slots, 8)
})
