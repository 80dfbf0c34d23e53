import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { firstInTurn, shareOut } from './fair-shares.ts'

const lane = (organisationId: string, room = 8) => ({ organisationId, room })
const lanesOf = (organisationId: string, count: number) =>
  Array.from({ length: count }, () => lane(organisationId))
const sum = (shares: Map<{ organisationId: string }, number>, organisationId: string) =>
  [...shares]
    .filter(([one]) => one.organisationId === organisationId)
    .reduce((all, [, share]) => all + share, 0)

test('with room for everybody, everybody gets everything', () => {
  const shares = shareOut([lane('a'), lane('b', 3)], 4096, new Map())
  assert.deepEqual([...shares.values()], [8, 3])
})

test('one flood takes half, and leaves room for whoever comes next', () => {
  const shares = shareOut(lanesOf('flood', 1000), 1000, new Map())
  assert.equal(sum(shares, 'flood'), 500)
  const later = shareOut([lane('small')], 500, new Map([['flood', 500]]))
  assert.equal(sum(later, 'small'), 8)
})

test('a flood that holds its share gets nothing more until some of it comes back', () => {
  assert.equal(shareOut(lanesOf('flood', 10), 500, new Map([['flood', 500]])).size, 0)
})

test('the lanes of an organisation take turns too', () => {
  const shares = shareOut(lanesOf('flood', 100), 100, new Map())
  assert.ok([...shares.values()].every((share) => share === 1))
  assert.equal(shares.size, 50)
})

test('a claim asks the organisations in turn, however many lanes each has', () => {
  const lanes = [...lanesOf('flood', 1000), ...lanesOf('small', 2), lane('tiny', 3)]
  const first = firstInTurn(lanes, 40)
  assert.deepEqual(
    first.map(({ organisationId }) => organisationId),
    ['flood', 'small', 'tiny', 'flood', 'small', 'flood'],
  )
})

test('a claim asks as many lanes as it takes to fill it, in their order, and nobody twice', () => {
  const arbitrary = fc.array(
    fc.record({ organisationId: fc.constantFrom('a', 'b', 'c'), room: fc.integer({ min: 1, max: 8 }) }),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(arbitrary, fc.integer({ min: 1, max: 200 }), (lanes, most) => {
      const first = firstInTurn(lanes, most)
      const room = first.reduce((all, one) => all + one.room, 0)
      assert.equal(new Set(first).size, first.length)
      if (room < most) assert.equal(first.length, lanes.length, 'somebody was left out of a claim with room')
      else assert.ok(room - (first.at(-1)?.room ?? 0) < most, 'more were asked than it takes')
      for (const name of ['a', 'b', 'c']) {
        const asked = first.filter(({ organisationId }) => organisationId === name)
        const all = lanes.filter(({ organisationId }) => organisationId === name)
        assert.deepEqual(asked, all.slice(0, asked.length))
      }
    }),
  )
})

test('no share is larger than the room, all together are no more than is free, and nobody holds more than is left', () => {
  const arbitrary = fc.record({
    lanes: fc.array(
      fc.record({
        organisationId: fc.constantFrom('a', 'b', 'c', 'd'),
        room: fc.integer({ min: 1, max: 8 }),
      }),
      {
        maxLength: 60,
      },
    ),
    free: fc.integer({ min: 0, max: 300 }),
    held: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 1, max: 100 })),
  })
  fc.assert(
    fc.property(arbitrary, ({ lanes, free, held }) => {
      const shares = shareOut(lanes, free, new Map(Object.entries(held)))
      const given = [...shares.values()].reduce((all, share) => all + share, 0)
      for (const [one, share] of shares) assert.ok(share <= one.room)
      assert.ok(given <= free)
      for (const name of ['a', 'b', 'c', 'd']) {
        const got = sum(shares, name)
        // The last slot was given while as many were free as the organisation held before.
        if (got > 0) assert.ok((held[name] ?? 0) + got - 1 <= free - given + (lanes.length > 0 ? given : 0))
      }
    }),
  )
})
