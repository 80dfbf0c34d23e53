import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHeldLanes } from './held-queues.ts'

const leased = (count: number, organisationId: string) =>
  Array.from({ length: count }, (_, n) => ({
    webhookId: `${organisationId} ${n}`,
    organisationId,
    fence: 1,
    takenOver: false,
  }))

test('lanes that one claim has no room for are asked by the next, before anybody is asked again', () => {
  const held = createHeldLanes()
  held.hold(leased(120, 'flood'))
  const asked = Array.from({ length: 3 }, () =>
    [...held.shares(0).keys()].map(({ webhookId }) => webhookId),
  ).flat()
  assert.equal(new Set(asked.slice(0, 120)).size, 120)
  assert.equal(asked[120], asked[0])
})

test('every organisation is asked before any is asked again, however many lanes the first ones have', () => {
  const held = createHeldLanes()
  const names = Array.from({ length: 80 }, (_, n) => `organisation ${n}`)
  held.hold(names.flatMap((name) => leased(10, name)))
  const asked = Array.from({ length: 2 }, () =>
    [...held.shares(0).keys()].map(({ organisationId }) => organisationId),
  ).flat()
  assert.deepEqual(asked.slice(0, 80), names)
  assert.equal(asked[80], names[0])
})

test('a small organisation is in the next claim, however many lanes of another wait', () => {
  const held = createHeldLanes()
  held.hold([...leased(1000, 'flood'), ...leased(1, 'small')])
  const [asked] = [...held.shares(0).keys()].filter(({ organisationId }) => organisationId === 'small')
  assert.equal(asked?.webhookId, 'small 0')
})
