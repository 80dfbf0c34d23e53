import { setTimeout as pause } from 'node:timers/promises'
import { WEBHOOK_FAULTS } from '../../../server/fault-points.ts'
import { type Action, FaultSchedule, type MoreFaults } from '../framework/fault-schedule.ts'
import type { Fixtures } from '../framework/fixtures.ts'
import type { Random } from '../framework/random.ts'
import type { ApiTraffic } from './api-traffic.ts'

export const LEASE_SECONDS = 10
export const FREEZE = 'stop past the lease'
export const FLAPPING = 'flapping'

/** Together they cover every point; those around a commit in each process that has such transactions. */
const CRASHES: Action[] = [
  { role: 'dispatcher', points: { after_lease: 1, after_post: 0.3, in_replay: 1 } },
  { role: 'dispatcher', points: { after_claim: 0.3, after_record: 0.3 } },
  { role: 'producer', points: { before_commit: 0.1, after_commit: 0.1 } },
  { role: 'api', points: { before_commit: 0.3, after_commit: 0.3 } },
]

const WEIGHTS: [Action, number][] = [
  [FREEZE, 8],
  ['kill dispatcher', 24],
  ['kill api', 10],
  ['kill producer', 8],
  ['crash PostgreSQL', 10],
  ['cut connections', 10],
  ['lost commit', 6],
  ['black hole', 8],
  ['slow connections', 3],
  ...CRASHES.map((action): [Action, number] => [action, 4]),
]

/** Parts of the names of the delivery engine's statements; the empty text matches any statement. */
const STATEMENTS = ['renew_lease', 'lease_', 'claim_deliveries', 'record_attempts', 'release_', '']

export function createSchedule(
  fixtures: Fixtures,
  traffic: ApiTraffic,
  random: Random,
  options: { faults: number; seconds: number; more: MoreFaults | undefined; isEnough(): boolean },
): FaultSchedule {
  const schedule: FaultSchedule = new FaultSchedule(fixtures, random, {
    ...options,
    concurrency: 6,
    first: [FREEZE, ...CRASHES, 'black hole'],
    weights: WEIGHTS,
    points: WEBHOOK_FAULTS,
    custom: { [FREEZE]: () => freezeDispatcher(schedule, random) },
    uncounted: ['slow connections', FLAPPING],
    committers: ['api', 'producer'],
    provoke: (role, point) => {
      if (point === 'in_replay') traffic.requestReplay()
      if (role === 'api') traffic.subscribeNext()
    },
  })
  return schedule
}

/** For longer than its lease: when it continues, other dispatchers own its endpoint queues. */
const freezeDispatcher = (schedule: FaultSchedule, random: Random): Promise<void> =>
  schedule.reserve(['dispatcher'], (process) =>
    schedule.record(FREEZE, process.name, async () => {
      process.signal('SIGSTOP')
      await pause(LEASE_SECONDS * 1000 + random.between(500, 3000))
      process.signal('SIGCONT')
    }),
  )

/**
 * Cuts the connections of one dispatcher, and drops responses to its statements, until the work is over. This dispatcher is never
 * killed: a restart would repair a wrong belief about the leases that it holds. `everySeconds`: on average.
 */
export async function flapSurvivor(
  schedule: FaultSchedule,
  fixtures: Fixtures,
  random: Random,
  everySeconds: number,
  work: Promise<void>,
): Promise<void> {
  const [survivor] = fixtures.withRole('survivor')
  let isOver = false
  void work.finally(() => (isOver = true)).catch(() => {})
  while (survivor?.proxy && !isOver) {
    const dropped = survivor.proxy.dropResponseTo(random.pick(STATEMENTS))
    await Promise.race([dropped, pause(random.between(350 * everySeconds, 1_650 * everySeconds))])
    await schedule.record(FLAPPING, survivor.name, () => void survivor.proxy?.cut())
    await pause(random.between(20, 400))
  }
  await work
}
