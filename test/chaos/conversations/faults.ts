import { setTimeout as pause } from 'node:timers/promises'
import { RECORDING_FAULTS } from '../../../server/fault-points.ts'
import { type Action, FaultSchedule } from '../framework/fault-schedule.ts'
import type { Fixtures } from '../framework/fixtures.ts'
import type { Random } from '../framework/random.ts'
import type { Participants } from './participants.ts'
import type { ReportRequests } from './report-requests.ts'
import type { SmallDisk } from './small-disk.ts'

/** Commits and chunks come many times a second: a crash at the first one would leave no time for anything else. */
const CRASHES: Action[] = [
  { role: 'api', points: { after_store: 0.3, before_commit: 0.2, after_commit: 0.2 } },
  { role: 'worker', points: { after_transcription: 0.3, before_commit: 0.1, after_join: 1 } },
  { role: 'worker', points: { after_summary: 1, after_commit: 0.1, after_report: 1, in_erasure: 1 } },
]

const WEIGHTS: [Action, number][] = [
  ['kill api', 5],
  ['kill worker', 8],
  ['kill model', 4],
  ['crash PostgreSQL', 3],
  ['cut connections', 3],
  ['lost commit', 3],
  ['black hole', 3],
  ...CRASHES.map((action): [Action, number] => [action, 3]),
]
const DISK_FULL = 'disk full'

/** An API that is killed three times in a row can be away for 25 s on a busy machine. */
const DISK_FULL_TIMEOUT_MS = 40_000
const UPLOAD_EVERY_MS = 500

export function createSchedule(
  fixtures: Fixtures,
  participants: Participants,
  reports: ReportRequests,
  disk: SmallDisk,
  random: Random,
  size: { faults: number; seconds: number },
): FaultSchedule {
  let isFull = false
  const schedule: FaultSchedule = new FaultSchedule(fixtures, random, {
    ...size,
    concurrency: 4,
    first: CRASHES,
    weights: disk.canFill ? [...WEIGHTS, [DISK_FULL, 3]] : WEIGHTS,
    points: RECORDING_FAULTS,
    custom: {
      [DISK_FULL]: async () => {
        if (isFull) return
        isFull = true
        await fillDisk(schedule, participants, disk)
        isFull = false
      },
    },
    committers: ['api', 'worker'],
    provoke: (_role, point) => {
      if (point === 'after_report') reports.request()
      else participants.runExtra(point === 'in_erasure' ? 'withdraw' : 'finish')
    },
  })
  return schedule
}

/** Until a participant got a 507. */
function fillDisk(schedule: FaultSchedule, participants: Participants, disk: SmallDisk): Promise<void> {
  return schedule.record(DISK_FULL, 'disk', async () => {
    const before = participants.diskFullResponses()
    await disk.fill()
    const deadline = performance.now() + DISK_FULL_TIMEOUT_MS
    while (participants.diskFullResponses() === before && performance.now() < deadline) {
      participants.runExtra('finish')
      await pause(UPLOAD_EVERY_MS)
    }
    await disk.free()
  })
}
