import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runChaos } from '../chaos/framework/chaos-run.ts'
import { failover } from './scenario.ts'

/** `npm run test:failover -- [--promotions 20] [--lag 2000] [--seed …]`; with `--lag` the standby is asynchronous. */
const { values } = parseArgs({
  options: {
    promotions: { type: 'string', default: '20' },
    lag: { type: 'string', default: '0' },
    dispatchers: { type: 'string', default: '2' },
    events: { type: 'string', default: '20' },
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
  },
})
const SECONDS_PER_PROMOTION = 10
const SECONDS_LIMIT = 90
const START_SECONDS = 300

const faults = Number(values.promotions)
const size = {
  faults,
  seconds: faults * SECONDS_PER_PROMOTION,
  within: START_SECONDS + faults * SECONDS_LIMIT,
  dispatchers: Number(values.dispatchers),
  eventsPerSecond: Number(values.events),
  lag: Number(values.lag),
}

// Every child process is killed on `exit`.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

console.log(`seed ${values.seed}`)
const { passed, table } = await runChaos(failover(size), values.seed, size)
console.log(table)
process.exit(passed ? 0 : 1)
