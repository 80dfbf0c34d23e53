import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import type { Context, PreparedRun, Scenario } from '../chaos/framework/chaos-run.ts'
import { startCluster } from '../chaos/framework/cluster.ts'
import { FaultSchedule } from '../chaos/framework/fault-schedule.ts'
import { SERVICE } from '../chaos/framework/fixtures.ts'
import { type LoadSize, startLoad } from '../failover/load.ts'
import { installRelease } from '../support/release.ts'
import { CLUSTER } from './scenarios.ts'

/** The oldest commit that can run beside this one: an update from an earlier one needs a short stop. */
const BEFORE = 'ac01059e35c1f7d618e80ea91e50d0045b233f39'
const PROCESSES = CLUSTER.apis + CLUSTER.workers

/** The processes of a release are replaced by those of this version, one after the other, under load. */
export async function createUpdate(): Promise<Scenario<LoadSize>> {
  const release = await installRelease(BEFORE)
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: release.folder, stdio: 'inherit' })
  let script = release.main
  const size: LoadSize = { faults: PROCESSES, seconds: 60, within: 900, eventsPerSecond: 20 }
  return {
    full: size,
    short: { ...size, seconds: 20 },
    startCluster: (folder) => startCluster(folder, { migrates: false }),
    topology: { ...CLUSTER, script: () => script, hidesBalancer: true },
    prepare: (context) => {
      context.fixtures.onStop(() => rm(release.folder, { recursive: true, force: true }))
      return prepare(context, () => (script = SERVICE))
    },
  }
}

async function prepare(context: Context<LoadSize>, update: () => void): Promise<PreparedRun> {
  const { fixtures, size, random } = context
  const { workers } = fixtures.topology
  const load = await startLoad(context, { dispatchers: workers, closesConnections: true })
  const services = [...fixtures.withRole('api'), ...fixtures.withRole('dispatcher')]
  const schedule: FaultSchedule = new FaultSchedule(fixtures, random.fork('faults'), {
    ...size,
    concurrency: 1,
    first: [],
    weights: [['update', 1]],
    points: [],
    committers: [],
    provoke: () => {},
    custom: {
      update: async () => {
        const process = services.shift()
        if (!process) return
        update()
        await schedule.record('update', process.name, () => process.replace())
      },
    },
  })

  return {
    schedule,
    chaos: () => schedule.run(),
    quiet: load.quiet,
    describeProgress: async () => [
      `${load.producer.committed.size} events, ${services.length} processes left`,
    ],
    secrets: load.secrets,
    check: async () => {
      const { rows, errors, losses } = await load.check(schedule.faults)
      return {
        rows,
        violations: { ...errors, ...losses, 'not updated': services.map(({ name }) => name) },
      }
    },
  }
}
