import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { applyNodeOptions } from '../v8-flags.ts'

/** For the tests: prints what the V8 flags did to this process. */
applyNodeOptions()

const used = (space: string, field: 'space_used_size' | 'space_size' = 'space_used_size'): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === space)?.[field] ?? 0

function rows(): number[][] {
  const made: number[][] = []
  for (let n = 0; n < 2_000; n++) made.push([n, n + 1, n + 2])
  return made
}

// Rows that survive collections, as those of a statement do: V8 would decide to create them in the old space.
const kept: number[][][] = []
let newSpace = 0
for (let round = 0; round < 2_000; round++) {
  kept.push(rows())
  if (kept.length > 40) kept.shift()
  newSpace = Math.max(newSpace, used('new_space', 'space_size'))
}
// The least of several: a collection in between moves survivors there.
let createdInOldSpace = Infinity
for (let round = 0; round < 20; round++) {
  const before = used('old_space')
  kept.push(rows())
  createdInOldSpace = Math.min(createdInOldSpace, used('old_space') - before)
}
console.log(JSON.stringify({ limit: getHeapStatistics().heap_size_limit, newSpace, createdInOldSpace }))
