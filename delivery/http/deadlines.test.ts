import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { createDeadlines, type Deadline } from './deadlines.ts'

const newDeadline = (): Deadline => ({ due: Number.POSITIVE_INFINITY, index: -1, expire: () => {} })

test('tracks exactly the deadlines that were added and not deleted', () => {
  const moves = fc.array(fc.record({ adds: fc.boolean(), which: fc.nat(9) }), { maxLength: 60 })
  fc.assert(
    fc.property(moves, (all) => {
      const deadlines = createDeadlines<Deadline>()
      const candidates = Array.from({ length: 10 }, newDeadline)
      const active = new Set<Deadline>()
      for (const { adds, which } of all) {
        const each = candidates[which] as Deadline
        if (adds && !active.has(each)) {
          deadlines.add(each)
          active.add(each)
        } else if (!adds) {
          deadlines.delete(each)
          active.delete(each)
        }
        assert.deepEqual(new Set(deadlines.all()), active)
      }
      for (const each of candidates) deadlines.delete(each)
    }),
  )
})

test('expires due deadlines, unless another one deleted them', async () => {
  const deadlines = createDeadlines<Deadline>()
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const expired: string[] = []
  const newDue = (name: string, then: () => void): Deadline => ({
    due: 0,
    index: -1,
    expire: () => {
      expired.push(name)
      then()
    },
  })
  const later = newDeadline()
  const gone = newDue('gone', () => {})
  const first = newDue('first', () => {
    for (const each of [first, later, gone]) deadlines.delete(each)
  })
  const last = newDue('last', () => {
    deadlines.delete(last)
    resolve()
  })
  for (const each of [later, first, gone, last]) deadlines.add(each)
  await over
  assert.deepEqual(expired, ['first', 'last'])
  assert.deepEqual(deadlines.all(), [])
})
