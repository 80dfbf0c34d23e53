import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { createWatch, type Watched } from './deadlines.ts'

const newWatched = (): Watched => ({ due: Number.POSITIVE_INFINITY, place: -1, expire: () => {} })

test('whatever comes and goes, in whatever order, exactly what came and did not go is watched', () => {
  const moves = fc.array(fc.record({ comes: fc.boolean(), which: fc.nat(9) }), { maxLength: 60 })
  fc.assert(
    fc.property(moves, (all) => {
      const watch = createWatch<Watched>()
      const candidates = Array.from({ length: 10 }, newWatched)
      const watched = new Set<Watched>()
      for (const { comes, which } of all) {
        const each = candidates[which] as Watched
        if (comes && !watched.has(each)) {
          watch.add(each)
          watched.add(each)
        } else if (!comes) {
          watch.delete(each)
          watched.delete(each)
        }
        assert.deepEqual(new Set(watch.all()), watched)
      }
      for (const each of candidates) watch.delete(each)
    }),
  )
})

test('those whose time is up expire, unless another one’s end made them go', async () => {
  const watch = createWatch<Watched>()
  const { promise: over, resolve } = Promise.withResolvers<void>()
  const expired: string[] = []
  const newDue = (name: string, then: () => void): Watched => ({
    due: 0,
    place: -1,
    expire: () => {
      expired.push(name)
      then()
    },
  })
  const later = newWatched()
  const gone = newDue('gone', () => {})
  const first = newDue('first', () => {
    for (const each of [first, later, gone]) watch.delete(each)
  })
  const last = newDue('last', () => {
    watch.delete(last)
    resolve()
  })
  for (const each of [later, first, gone, last]) watch.add(each)
  await over
  assert.deepEqual(expired, ['first', 'last'])
  assert.deepEqual(watch.all(), [])
})
