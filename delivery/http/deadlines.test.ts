import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { createDeadlines, type Deadline } from './deadlines.ts'

const newWatched = (): Deadline => ({ due: Number.POSITIVE_INFINITY, index: -1, expire: () => {} })

test('whatever comes and goes, in whatever order, exactly what came and did not go is watched', () => {
  const moves = fc.array(fc.record({ comes: fc.boolean(), which: fc.nat(9) }), { maxLength: 60 })
  fc.assert(
    fc.property(moves, (all) => {
      const deadlines = createDeadlines<Deadline>()
      const candidates = Array.from({ length: 10 }, newWatched)
      const watched = new Set<Deadline>()
      for (const { comes, which } of all) {
        const each = candidates[which] as Deadline
        if (comes && !watched.has(each)) {
          deadlines.add(each)
          watched.add(each)
        } else if (!comes) {
          deadlines.delete(each)
          watched.delete(each)
        }
        assert.deepEqual(new Set(deadlines.all()), watched)
      }
      for (const each of candidates) deadlines.delete(each)
    }),
  )
})

test('those whose time is up expire, unless another one’s end made them go', async () => {
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
  const later = newWatched()
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
