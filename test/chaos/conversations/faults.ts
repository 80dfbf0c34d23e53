import { setTimeout as pause } from 'node:timers/promises'
import { RECORDING_FAULTS } from '../../../server/fault-points.ts'
import { type Action, FaultSchedule, type MoreFaults } from '../framework/fault-schedule.ts'
import type { Fixtures } from '../framework/fixtures.ts'
import type { Random } from '../framework/random.ts'
import type { Participants } from './participants.ts'
import type { RecordingFiles, StorageFault } from './recording-files.ts'
import type { ReportRequests } from './report-requests.ts'

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

/** An API that is killed three times in a row can be away for 25 s on a busy machine. */
const REFUSAL_TIMEOUT_MS = 40_000
const UPLOAD_EVERY_MS = 500

export function createSchedule(
  fixtures: Fixtures,
  participants: Participants,
  reports: ReportRequests,
  files: RecordingFiles,
  random: Random,
  size: { faults: number; seconds: number; more: MoreFaults | undefined },
): FaultSchedule {
  const { fault } = files
  let isBroken = false
  const schedule: FaultSchedule = new FaultSchedule(fixtures, random, {
    ...size,
    concurrency: 4,
    first: CRASHES,
    weights: fault ? [...WEIGHTS, [fault.kind, 3]] : WEIGHTS,
    points: RECORDING_FAULTS,
    custom: fault
      ? {
          [fault.kind]: async () => {
            if (isBroken) return
            isBroken = true
            await breakStorage(schedule, participants, fault)
            isBroken = false
          },
        }
      : {},
    committers: ['api', 'worker'],
    provoke: (_role, point) => {
      if (point === 'after_report') reports.request()
      else participants.runExtra(point === 'in_erasure' ? 'withdraw' : 'finish')
    },
  })
  return schedule
}

/** The storage stays broken until a participant gets the error response. */
function breakStorage(
  schedule: FaultSchedule,
  participants: Participants,
  { kind, response, begin, end }: StorageFault,
): Promise<void> {
  return schedule.record(kind, 'storage', async () => {
    const before = participants.countResponses(response)
    await begin()
    const deadline = performance.now() + REFUSAL_TIMEOUT_MS
    while (participants.countResponses(response) === before && performance.now() < deadline) {
      participants.runExtra('finish')
      await pause(UPLOAD_EVERY_MS)
    }
    await end()
  })
}
