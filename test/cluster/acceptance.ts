import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Context,
  listCounts,
  type PreparedRun,
  type Scenario,
  type Size,
} from '../chaos/framework/chaos-run.ts'
import { FaultSchedule } from '../chaos/framework/fault-schedule.ts'
import { fakeBrowser, TOURS, takeTour } from '../support/documents.ts'
import { openBucket } from './bucket.ts'
import { clusterFaults } from './faults.ts'
import { startIdentityStore } from './identity.ts'
import { countRetry, type Retries, takeJourney } from './journey.ts'
import { CLUSTER } from './scenarios.ts'

interface AcceptanceSize extends Size {
  /** How often everything runs at least; it is repeated until all faults have happened. */
  rounds: number
}

const RETRYING_CURL = join(import.meta.dirname, 'retrying-curl.sh')

/** The tours and the examples of the documents, and a journey through the API, again and again during faults. */
export const acceptance: Scenario<AcceptanceSize> = {
  full: { faults: 120, seconds: 600, rounds: 4, within: 2400 },
  short: { faults: 24, seconds: 120, rounds: 2, within: 1200 },
  topology: CLUSTER,
  more: clusterFaults,
  prepare,
}

async function prepare({ fixtures, size, random, more }: Context<AcceptanceSize>): Promise<PreparedRun> {
  const identity = await startIdentityStore(fixtures)
  const bucket = await openBucket(fixtures)
  const settings = {
    ...identity.settings,
    ...bucket.settings,
    TIER_GATES: 'on',
    RATE_LIMITS: 'on',
    WEBHOOK_ALLOW_HTTP: 'on',
    WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
  }
  await fixtures.startApis(settings)
  for (let number = 1; number <= fixtures.topology.workers; number++)
    await fixtures.startService(`worker-${number}`, { ...settings, ROLES: 'worker' })
  await fixtures.up()
  await fakeBrowser()

  const retryFile = join(fixtures.folder, 'retries of the tours')
  const stopping = new AbortController()
  fixtures.onStop(() => stopping.abort())
  const retries: Retries = new Map()
  const failed: string[] = []
  const counts = new Map<string, number>()
  let rounds = 0
  const tour = (path: string) =>
    takeTour(path, {
      backend: fixtures.apiUrl ?? '',
      identityStore: identity.url,
      password: identity.password,
      prelude: `RETRIES='${retryFile}'\nsource '${RETRYING_CURL}'`,
      colleague: `ada-${rounds}@example.com`,
      signal: stopping.signal,
    })
  const parts: Record<string, () => Promise<void>> = {
    ...Object.fromEntries(Object.keys(TOURS).map((path) => [path, () => tour(path)])),
    'a journey through the API': async () => takeJourney(fixtures, await identity.signIn(), retries),
  }

  /** Everything at the same time. */
  async function runRound(): Promise<void> {
    const name = `round ${rounds + 1}`
    await Promise.all(
      Object.entries(parts).map(async ([part, run]) => {
        try {
          await fixtures.waits.for(`${part}, ${name}`, run())
          counts.set(part, (counts.get(part) ?? 0) + 1)
        } catch (error) {
          failed.push(`${name}, ${part}: ${error instanceof Error ? error.message : String(error)}`)
        }
      }),
    )
    rounds++
  }

  const schedule = new FaultSchedule(fixtures, random.fork('faults'), {
    ...size,
    concurrency: 2,
    first: [],
    weights: [
      ['kill api', 8],
      ['kill worker', 2],
    ],
    points: [],
    committers: [],
    provoke: () => {},
    custom: {},
    isEnough: () => rounds >= size.rounds,
    more,
  })

  return {
    schedule,
    chaos: async () => {
      let isOver = false
      const faults = schedule.run().then(() => (isOver = true))
      do await runRound()
      while (!isOver)
      await faults
    },
    // Once more, with all processes.
    quiet: runRound,
    describeProgress: async () => [`${rounds} rounds`, ...failed],
    secrets: () => identity.secrets,
    check: async () => {
      const lines = await readFile(retryFile, 'utf8').catch(() => '')
      for (const reason of lines.split('\n').filter(Boolean)) countRetry(retries, reason)
      return {
        rows: [
          ['rounds', rounds],
          ['passed', listCounts(counts)],
          ['repeated requests', listCounts(retries)],
        ],
        violations: {
          'acceptance test failed': failed,
          'no request was repeated': retries.size > 0 ? [] : ['0'],
        },
      }
    },
  }
}
