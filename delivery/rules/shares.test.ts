import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { type DispatcherLoad, queuesToGive, slotOf, slotsOf } from './shares.ts'

const load = (id: string, busyQueues: number, requestsPerSecond: number | null = null): DispatcherLoad => ({
  id,
  busyQueues,
  requestsPerSecond,
})
const give = (own: DispatcherLoad, ...others: DispatcherLoad[]) =>
  Object.fromEntries(queuesToGive(own, others))

test('each slot belongs to one living dispatcher, and nearly equal numbers to each', () => {
  const living = Array.from({ length: 8 }, () => randomUUID())
  const slots = living.map((id) => slotsOf(id, living))
  assert.deepEqual(
    slots.flat().toSorted((a, b) => a - b),
    Array.from({ length: 256 }, (_, slot) => slot),
  )
  for (const own of slots) assert.ok(own.length > 8 && own.length < 72, `${own.length} slots`)
  assert.equal(slotOf('0198c5a0-0000-7000-8000-0000000000ff'), 255)
})

test('a dispatcher that joins takes slots from the others without moving slots between them', () => {
  const living = ['a', 'b', 'c']
  const after = [...living, 'd']
  for (const id of living) {
    const before = new Set(slotsOf(id, living))
    assert.ok(slotsOf(id, after).every((slot) => before.has(slot)))
  }
})

test('a dispatcher without others keeps its queues', () => {
  assert.deepEqual(give(load('a', 100)), {})
})

test('a dispatcher that joins a busy system gets its share from each of the others', () => {
  assert.deepEqual(give(load('a', 100, 9000), load('b', 0)), { b: 50 })
  assert.deepEqual(give(load('a', 50), load('b', 50), load('c', 0)), { c: 16 })
})

test('a dispatcher that sends slowly gives queues to those that send faster', () => {
  assert.deepEqual(give(load('slow', 50, 1000), load('fast', 50, 9000)), { fast: 40 })
  assert.deepEqual(give(load('fast', 50, 9000), load('slow', 50, 1000)), {})
})

test('does not move queues for small differences in load', () => {
  assert.deepEqual(give(load('a', 54), load('b', 50)), {})
  assert.deepEqual(give(load('a', 1), load('b', 0)), {})
})

const anyLoads = fc
  .array(
    fc.record({
      busyQueues: fc.nat(10_000),
      requestsPerSecond: fc.option(fc.integer({ min: 1, max: 50_000 }), { nil: null }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((loads) => loads.map((each, n): DispatcherLoad => ({ id: `d${n}`, ...each })))

test('after one round of hand-overs, no dispatcher that received queues has more than its share', () => {
  fc.assert(
    fc.property(anyLoads, (loads) => {
      const after = new Map(loads.map(({ id, busyQueues }) => [id, busyQueues]))
      for (const own of loads) {
        const others = loads.filter((each) => each !== own)
        const given = queuesToGive(own, others)
        for (const [to, count] of given) {
          assert.ok(count > 0)
          after.set(to, (after.get(to) ?? 0) + count)
          after.set(own.id, (after.get(own.id) ?? 0) - count)
        }
        if (given.size > 0) assert.ok((after.get(own.id) ?? -1) >= 0)
      }
      const total = [...after.values()].reduce((sum, count) => sum + count, 0)
      assert.equal(
        total,
        loads.reduce((sum, { busyQueues }) => sum + busyQueues, 0),
      )
      for (const taker of loads) {
        const others = loads.filter((each) => each !== taker)
        const now = (each: DispatcherLoad) => ({ ...each, busyQueues: after.get(each.id) ?? 0 })
        if ((after.get(taker.id) ?? 0) <= taker.busyQueues) continue
        const again = [...queuesToGive(now(taker), others.map(now)).values()]
        const surplus = again.reduce((sum, count) => sum + count, 0)
        assert.ok(surplus <= loads.length, `${surplus} too many`)
      }
    }),
  )
})
