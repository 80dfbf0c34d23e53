import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHeldQueues } from './held-queues.ts'

const leased = (count: number, organisationId: string) =>
  Array.from({ length: count }, (_, n) => ({
    webhookId: `${organisationId} ${n}`,
    organisationId,
    fence: 1,
    takenOver: false,
  }))

test('queues that do not fit into one claim are in the next, before any queue is claimed again', () => {
  const queues = createHeldQueues()
  queues.hold(leased(120, 'flood'))
  const claimed = Array.from({ length: 3 }, () =>
    [...queues.shares(0).keys()].map(({ webhookId }) => webhookId),
  ).flat()
  assert.equal(new Set(claimed.slice(0, 120)).size, 120)
  assert.equal(claimed[120], claimed[0])
})

test('every organisation is claimed from before any is claimed from again, however many queues the first have', () => {
  const queues = createHeldQueues()
  const names = Array.from({ length: 80 }, (_, n) => `organisation ${n}`)
  queues.hold(names.flatMap((name) => leased(10, name)))
  const claimed = Array.from({ length: 2 }, () =>
    [...queues.shares(0).keys()].map(({ organisationId }) => organisationId),
  ).flat()
  assert.deepEqual(claimed.slice(0, 80), names)
  assert.equal(claimed[80], names[0])
})

test('a small organisation is in the next claim, however many queues of another wait', () => {
  const queues = createHeldQueues()
  queues.hold([...leased(1000, 'flood'), ...leased(1, 'small')])
  const [claimed] = [...queues.shares(0).keys()].filter(({ organisationId }) => organisationId === 'small')
  assert.equal(claimed?.webhookId, 'small 0')
})
