import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBoundedCache } from './bounded-cache.ts'

test('keeps the entries that were used last', () => {
  const cache = createBoundedCache<string, number>({ max: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.deepEqual([...cache.entries()].toSorted(), [
    ['a', 1],
    ['c', 3],
  ])
})

test('takes no memory for entries that it does not have', () => {
  const before = process.memoryUsage()
  const caches = Array.from({ length: 100 }, () => createBoundedCache<string, number>({ max: 100_000 }))
  const after = process.memoryUsage()
  const grown = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers
  assert.equal(caches.length, 100)
  assert.ok(grown < 10_000_000, `${grown} bytes`)
})
