import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { endLate } from '../support/storm.ts'
import { runFaults } from './faults.ts'
import { tableOf } from './table.ts'

/** `npm run test:faults [-- --seed=… --seconds=… --events=… --kills=…]`: the whole storm. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
    seconds: { type: 'string', default: '600' },
    events: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '220' },
    dispatchers: { type: 'string', default: '3' },
    latecomers: { type: 'string', default: '10' },
    within: { type: 'string', default: '3600' },
  },
})

// Leaving by `exit` takes every process that was started along.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

console.log(`seed ${values.seed}`)
endLate(Number(values.within))
const outcome = await runFaults({
  seed: values.seed,
  seconds: Number(values.seconds),
  events: Number(values.events),
  kills: Number(values.kills),
  dispatchers: Number(values.dispatchers),
  latecomers: Number(values.latecomers),
  withinSeconds: Number(values.within),
})
console.log(tableOf(outcome))
process.exit(outcome.violations.size === 0 ? 0 : 1)
