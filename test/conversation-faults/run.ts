import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { endLate } from '../support/storm.ts'
import { runFaults } from './faults.ts'
import { tableOf } from './table.ts'

/** `npm run test:faults:conversations [-- --seed=… --conversations=… --chunks=… --faults=… --seconds=…]`: the whole storm. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
    conversations: { type: 'string', default: '300' },
    chunks: { type: 'string', default: '20' },
    faults: { type: 'string', default: '120' },
    seconds: { type: 'string', default: '300' },
    phones: { type: 'string', default: '40' },
    drain: { type: 'string', default: '300' },
    within: { type: 'string', default: '1800' },
  },
})

// Leaving by `exit` takes every process that was started along.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

console.log(`seed ${values.seed}`)
endLate(Number(values.within))
const outcome = await runFaults({
  seed: values.seed,
  conversations: Number(values.conversations),
  chunks: Number(values.chunks),
  faults: Number(values.faults),
  seconds: Number(values.seconds),
  phones: Number(values.phones),
  drainSeconds: Number(values.drain),
  withinSeconds: Number(values.within),
})
console.log(tableOf(outcome))
process.exit(outcome.violations.size === 0 ? 0 : 1)
