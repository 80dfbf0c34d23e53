import type { Cluster } from './cluster.ts'
import type { FaultSchedule, MoreFaults } from './fault-schedule.ts'
import { Fixtures, type Topology } from './fixtures.ts'
import { type Random, seededRandom } from './random.ts'
import { endsWithin, inTime, Waits } from './waits.ts'

/** The size of a run. Each number is an option of the command. */
export interface Size {
  faults: number
  /** The length of the chaos phase; it continues until all faults have happened. */
  seconds: number
  /** The time limit of the whole run, in seconds. */
  within: number
}

export interface Scenario<S extends Size> {
  full: S
  /** For `npm test`. */
  short: S
  /** Another cluster than a single PostgreSQL server. */
  startCluster?(folder: string): Promise<Cluster>
  /** Other processes than one API and two workers. */
  topology?: Topology
  more?: MoreFaults
  /** Starts the processes and creates everything that has to exist before the first fault. */
  prepare(context: Context<S>): Promise<PreparedRun>
}

export interface Context<S extends Size> {
  fixtures: Fixtures
  size: S
  seed: string
  random: Random
  more?: MoreFaults | undefined
}

export type Row = [name: string, value: string | number]

/** Violated promises, by name, with examples. A run passes when every list is empty. */
export type Violations = Record<string, string[]>

export interface PreparedRun {
  schedule: FaultSchedule
  /** Uses the service while the schedule runs. */
  chaos(): Promise<void>
  /** No faults any more, and all processes are up: waits until the service has caught up. */
  quiet(): Promise<void>
  /** For a run that exceeds its time limit. */
  describeProgress(): Promise<string[]>
  /** Called after all processes have stopped. */
  check(): Promise<{ rows: Row[]; violations: Violations }>
  /** Texts that must not appear in any log. */
  secrets(): string[]
}

const MAX_EXAMPLES = 5
const seconds = (from: number, until: number): string => ((until - from) / 1000).toFixed(0)

export async function runChaos<S extends Size>(
  scenario: Scenario<S>,
  seed: string,
  size: S,
): Promise<{ passed: boolean; table: string }> {
  const began = performance.now()
  const leftMs = () => began + size.within * 1000 - performance.now()
  const waits = new Waits()
  const fixtures = await inTime(
    waits,
    Fixtures.start(waits, scenario.startCluster, scenario.topology),
    leftMs(),
  )
  let passed = false
  try {
    const context = { fixtures, size, seed, random: seededRandom(seed), more: scenario.more }
    const run = await inTime(waits, waits.for('the set-up', scenario.prepare(context)), leftMs())
    const chaosBegan = performance.now()
    let quietBegan: number | undefined
    const bothPhases = async () => {
      await waits.for('the chaos phase', run.chaos())
      quietBegan = performance.now()
      await fixtures.up()
      await waits.for('the quiet phase', run.quiet())
    }
    const isInTime = await endsWithin(bothPhases(), leftMs())
    quietBegan ??= performance.now()
    if (!isInTime) {
      run.schedule.abandon()
      const down = fixtures.processes.flatMap((process) => process.describeDowntime())
      const progress = await run.describeProgress().catch((error: unknown) => [String(error)])
      console.log(['Time limit exceeded:', ...waits.list(), ...down, ...progress].join('\n    '))
    }
    await fixtures.stopProcesses()
    const { rows, violations } = await run.check()
    const found = {
      ...violations,
      ...run.schedule.findViolations(),
      'time limit exceeded': isInTime ? [] : [`after ${size.within} s, see above`],
      'unexpected exit': [...fixtures.processes, ...fixtures.retired].flatMap((one) => one.unexpectedExits),
      'secret in a log': await fixtures.findSecretsInLogs(run.secrets()),
    }
    const now = performance.now()
    const phases = `set-up ${seconds(began, chaosBegan)}, chaos ${seconds(chaosBegan, quietBegan)}, quiet phase ${seconds(quietBegan, now)}`
    passed = Object.values(found).every((list) => list.length === 0)
    const all: Row[] = [
      ['seed', seed],
      ...rows,
      ['faults', run.schedule.count()],
      ...[...run.schedule.countByKind()].map(([kind, count]): Row => [`  ${kind}`, count]),
      ...[...run.schedule.countByPoint()].map(([point, count]): Row => [`  crash ${point}`, count]),
      ['restarts', listCounts(new Map(fixtures.processes.map(({ name, starts }) => [name, starts - 1])))],
      ['duration', `${seconds(began, now)} s (${phases})`],
    ]
    return { passed, table: formatTable(all, found) }
  } finally {
    await fixtures.stop()
    if (passed) await fixtures.remove()
    else console.log(`The logs are in ${fixtures.folder}`)
  }
}

export const listCounts = (counts: ReadonlyMap<string | number, number>): string =>
  [...counts].map(([name, count]) => `${count} × ${name}`).join(', ') || '0'

export const countBy = <T>(list: readonly T[], name: (one: T) => string): Map<string, number> =>
  new Map([...Map.groupBy(list, name)].map(([key, all]) => [key, all.length]))

export function formatTable(rows: Row[], violations: Violations): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  const found = Object.entries(violations).filter(([, list]) => list.length > 0)
  const lines = found.flatMap(([name, list]) => [
    `✖ ${name}: ${list.length}`,
    ...list.slice(0, MAX_EXAMPLES).map((one) => `    ${one}`),
  ])
  return [
    ...rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`),
    '',
    ...(lines.length > 0 ? lines : ['✔ no violations']),
  ].join('\n')
}
