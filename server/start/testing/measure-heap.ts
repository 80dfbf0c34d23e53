import { getHeapSpaceStatistics, getHeapStatistics } from 'node:v8'
import { applyNodeOptions } from '../v8-flags.ts'

/** `node [flags] measure-heap.ts [--plain]`: prints what the V8 flags do to a process; `--plain` leaves out those set at run time. */
if (!process.argv.includes('--plain')) applyNodeOptions()

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
// The median of several: a collection in between changes the difference.
const differences = Array.from({ length: 21 }, () => {
  const before = used('old_space')
  kept.push(rows())
  return used('old_space') - before
})
const createdInOldSpace = differences.toSorted((a, b) => a - b)[10]
console.log(JSON.stringify({ limit: getHeapStatistics().heap_size_limit, newSpace, createdInOldSpace }))
