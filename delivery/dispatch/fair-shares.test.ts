import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { firstInTurn, shareOut } from './fair-shares.ts'

const queue = (organisationId: string, capacity = 8) => ({ organisationId, capacity })
const queuesOf = (organisationId: string, count: number) =>
  Array.from({ length: count }, () => queue(organisationId))
const sum = (shares: Map<{ organisationId: string }, number>, organisationId: string) =>
  [...shares]
    .filter(([one]) => one.organisationId === organisationId)
    .reduce((all, [, share]) => all + share, 0)

const NAMES = ['a', 'b', 'c', 'd']
const anyQueues = fc.array(
  fc.record({ organisationId: fc.constantFrom(...NAMES), capacity: fc.integer({ min: 1, max: 8 }) }),
  { maxLength: 60 },
)

test('all queues get their full capacity while there are enough slots', () => {
  const shares = shareOut([queue('a'), queue('b', 3)], 4096, new Map())
  assert.deepEqual([...shares.values()], [8, 3])
})

test('one organisation with a flood takes half of the slots and leaves the rest to the next', () => {
  const shares = shareOut(queuesOf('flood', 1000), 1000, new Map())
  assert.equal(sum(shares, 'flood'), 500)
  const later = shareOut([queue('small')], 500, new Map([['flood', 500]]))
  assert.equal(sum(later, 'small'), 8)
})

test('an organisation that holds its share gets no more slots until some are free again', () => {
  assert.equal(shareOut(queuesOf('flood', 10), 500, new Map([['flood', 500]])).size, 0)
})

test('the queues of an organisation take turns', () => {
  const shares = shareOut(queuesOf('flood', 100), 100, new Map())
  assert.ok([...shares.values()].every((share) => share === 1))
  assert.equal(shares.size, 50)
})

test('a claim takes organisations in turn, however many queues each has', () => {
  const queues = [...queuesOf('flood', 1000), ...queuesOf('small', 2), queue('tiny', 3)]
  const first = firstInTurn(queues, 40)
  assert.deepEqual(
    first.map(({ organisationId }) => organisationId),
    ['flood', 'small', 'tiny', 'flood', 'small', 'flood'],
  )
})

test('a claim takes as many queues as fill it, in order and each once', () => {
  fc.assert(
    fc.property(anyQueues, fc.integer({ min: 1, max: 200 }), (queues, most) => {
      const first = firstInTurn(queues, most)
      const capacity = first.reduce((all, one) => all + one.capacity, 0)
      assert.equal(new Set(first).size, first.length)
      if (capacity < most)
        assert.equal(first.length, queues.length, 'a queue was left out of a claim that was not full')
      else assert.ok(capacity - (first.at(-1)?.capacity ?? 0) < most, 'more queues than needed')
      for (const name of NAMES) {
        const taken = first.filter(({ organisationId }) => organisationId === name)
        const all = queues.filter(({ organisationId }) => organisationId === name)
        assert.deepEqual(taken, all.slice(0, taken.length))
      }
    }),
  )
})

test('a share fits the capacity of its queue, all fit the free slots, and no organisation holds more than is left', () => {
  const arbitrary = fc.record({
    queues: anyQueues,
    free: fc.integer({ min: 0, max: 300 }),
    held: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 100 })),
  })
  fc.assert(
    fc.property(arbitrary, ({ queues, free, held }) => {
      const shares = shareOut(queues, free, new Map(Object.entries(held)))
      const given = [...shares.values()].reduce((all, share) => all + share, 0)
      for (const [one, share] of shares) assert.ok(share <= one.capacity)
      assert.ok(given <= free)
      for (const name of ['a', 'b', 'c', 'd']) {
        const got = sum(shares, name)
        // The last slot was given while as many were free as the organisation held before.
        if (got > 0) assert.ok((held[name] ?? 0) + got - 1 <= free - given + (queues.length > 0 ? given : 0))
      }
    }),
  )
})
