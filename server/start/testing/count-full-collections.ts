import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { applyNodeOptions } from '../v8-flags.ts'

/**
 * `node [heap flags] count-full-collections.ts [--plain]`: prints the number of full collections of a process that keeps objects,
 * as the service does, while objects move to the old space and die there. It pauses in between: V8 lets the old space of a process
 * that rarely collects grow by less. `--plain` leaves out the flags that are set at run time.
 */
if (!process.argv.includes('--plain')) applyNodeOptions()

let fullCollections = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { kind } = (entry as unknown as { detail: { kind: number } }).detail
    if (kind === constants.NODE_PERFORMANCE_GC_MAJOR) fullCollections++
  }
}).observe({ entryTypes: ['gc'] })

const kept = Array.from({ length: 100_000 }, (_, n) => ({ n, next: [n, n + 1] }))
const queue: unknown[] = []
for (let round = 0; round < 400; round++) {
  for (let n = 0; n < 10_000; n++) queue[(round * 10_000 + n) % 100_000] = { n, next: [n, round] }
  await pause(12)
}
console.log(JSON.stringify({ fullCollections, kept: kept.length }))
