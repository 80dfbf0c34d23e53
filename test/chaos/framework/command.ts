import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runChaos, type Scenario, type Size } from './chaos-run.ts'

/** How long a run that exceeded its time limit can take to clean up. */
const CLEANUP_SECONDS = 60

/** Runs a scenario as the options of a command say, prints its table, and exits. */
export async function runCommand<S extends Size>(scenario: Scenario<S>, args: string[]): Promise<void> {
  // Every child process is killed on `exit`.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  const isShort = args.includes('--short')
  const { full, short } = scenario
  const { values } = parseArgs({
    args,
    options: {
      short: { type: 'boolean' },
      seed: { type: 'string', default: randomBytes(4).toString('hex') },
      ...Object.fromEntries(Object.keys(full).map((key) => [key, { type: 'string' as const }])),
    },
  })
  const given = Object.entries(values).filter(([key]) => key in full)
  const size: S = {
    ...(isShort ? short : full),
    ...Object.fromEntries(given.map(([key, value]) => [key, Number(value)])),
  }
  console.log(`seed ${values.seed}`)
  setTimeout(
    () => {
      console.log(`The run did not end ${CLEANUP_SECONDS} s after its time limit of ${size.within} s.`)
      process.exit(1)
    },
    (size.within + CLEANUP_SECONDS) * 1000,
  ).unref()
  const { passed, table } = await runChaos(scenario, values.seed, size)
  console.log(table)
  process.exit(passed ? 0 : 1)
}
