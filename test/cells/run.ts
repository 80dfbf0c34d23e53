import '../../scripts/build.ts'
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { formatTable } from '../chaos/framework/chaos-run.ts'
import { inTime, Waits } from '../chaos/framework/waits.ts'
import { ALL_KILLS, FEW_KILLS } from './moves.ts'
import { type CellsSize, type OnStop, runCells } from './scenario.ts'

type Base = Omit<CellsSize, 'history'>

/** `npm run test:cells [-- --short --history=… --seed=…]` */
const FULL: Base = { moves: ALL_KILLS, pauseSeconds: 12, within: 600 }
const SHORT: Base = { moves: FEW_KILLS, pauseSeconds: 6, within: 240 }

/** How many events of the history each second of the time limit allows for, all moves together, on a busy machine. */
const HISTORY_EVENTS_PER_SECOND = 150

const { values } = parseArgs({
  options: {
    short: { type: 'boolean' },
    history: { type: 'string', default: '0' },
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
  },
})
// Every child process is killed on `exit`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const base = values.short ? SHORT : FULL
const history = Number(values.history)
const size: CellsSize = { ...base, history, within: base.within + history / HISTORY_EVENTS_PER_SECOND }
const waits = new Waits()
const cleanups: Parameters<OnStop>[0][] = []
const began = performance.now()
console.log(`seed ${values.seed}`)
let hasPassed = false
try {
  const run = runCells(values.seed, size, waits, (cleanup) => cleanups.push(cleanup))
  const { rows, violations } = await inTime(waits, run, size.within * 1000)
  hasPassed = Object.values(violations).every((list) => list.length === 0)
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(formatTable([...rows, ['duration', `${seconds} s`]], violations))
} finally {
  for (const cleanup of cleanups.toReversed()) await cleanup(hasPassed)
}
process.exit(hasPassed ? 0 : 1)
