import { setTimeout as pause } from 'node:timers/promises'
import {
  type Context,
  listCounts,
  type PreparedRun,
  type Row,
  type Scenario,
  type Size,
} from '../framework/chaos-run.ts'
import { createProjects, type Fixtures } from '../framework/fixtures.ts'
import { check } from './checker.ts'
import { readEvidence, readJobs, readUnfinished } from './evidence.ts'
import { createSchedule } from './faults.ts'
import { startModel } from './model.ts'
import { createParticipants } from './participants.ts'
import { CANARY } from './recording.ts'
import { openDisk, type RecordingFiles } from './recording-files.ts'
import { createReportRequests } from './report-requests.ts'

export interface ConversationsSize extends Size {
  conversations: number
  chunks: number
  /** Participants at the same time. */
  participants: number
  /** The limit in seconds for the service to finish its work in the quiet phase. */
  drain: number
}

export const conversations: Scenario<ConversationsSize> = {
  full: {
    seconds: 300,
    faults: 120,
    conversations: 300,
    chunks: 20,
    participants: 40,
    drain: 300,
    within: 1800,
  },
  short: { seconds: 12, faults: 15, conversations: 12, chunks: 4, participants: 6, drain: 120, within: 450 },
  prepare: (context) => prepare(context, openDisk),
}

const MEGABYTE = 1024 * 1024
/** A chunk is at most 0.75 s at 16 kHz. It is stored twice once the audio is joined, and erased ones stay for a while. */
const CHUNK_BYTES = 25_000
const CONVERSATIONS_PER_REPORT = 10

type OpenFiles = (fixtures: Fixtures, megabytes: number) => Promise<RecordingFiles>

export async function prepare(
  { fixtures, size, seed, random, more }: Context<ConversationsSize>,
  openFiles: OpenFiles,
): Promise<PreparedRun> {
  const { cluster, waits } = fixtures
  const megabytes = 48 + Math.ceil((2.2 * size.conversations * size.chunks * CHUNK_BYTES) / MEGABYTE)
  const files = await openFiles(fixtures, megabytes)
  const model = await startModel(fixtures, seed)
  const settings = { ...model.settings, ...files.settings }
  await fixtures.startApis(settings)
  for (let number = 1; number <= fixtures.topology.workers; number++)
    await fixtures.startService(`worker-${number}`, { ...settings, ROLES: 'worker' })
  const client = fixtures.createClient(random.fork('user').uuid())
  const projects = await createProjects(client)
  await fixtures.up()
  const participants = createParticipants({
    url: () => fixtures.apiUrl,
    waits,
    projects,
    conversations: size.conversations,
    chunks: size.chunks,
    concurrency: size.participants,
    seconds: size.seconds,
    random: random.fork('participants'),
  })
  const { sessions, network } = participants
  const reports = createReportRequests(client, projects, random.fork('reports'))
  const schedule = createSchedule(fixtures, participants, reports, files, random.fork('faults'), {
    ...size,
    more,
  })
  const findUnfinished = () =>
    readUnfinished(
      cluster,
      sessions.flatMap(({ id }) => id ?? []),
      reports.accepted,
    )
  let unfinished: string[] = []

  return {
    schedule,
    chaos: async () => {
      const count = Math.ceil(size.conversations / CONVERSATIONS_PER_REPORT)
      await Promise.all([participants.run(), reports.run(count, size.seconds), schedule.run()])
    },
    quiet: async () => {
      model.becomeReliable()
      await waits.for('the last requests', Promise.all([participants.extraOver(), reports.over()]))
      const deadline = performance.now() + size.drain * 1000
      unfinished = await findUnfinished()
      while (unfinished.length > 0 && performance.now() < deadline) {
        await pause(250)
        unfinished = await findUnfinished()
      }
      if (unfinished.length > 0) console.log((await readJobs(cluster)).join('\n'))
    },
    describeProgress: async () => [...(await findUnfinished()), ...(await readJobs(cluster))],
    secrets: () => [model.key, CANARY, ...sessions.flatMap(({ token }) => token ?? [])],
    check: async () => {
      const evidence = await readEvidence(cluster, files)
      const { violations, rows } = check(sessions, reports.accepted, evidence)
      const { fault } = files
      const isUntold = fault !== null && participants.countResponses(fault.response) === 0
      return {
        rows: [
          ...rows,
          ...(fault ? [] : [['disk full', 'left out: this account cannot mount a disk'] as Row]),
          ['errors of the model', listCounts(model.errors)],
          ['responses to participants', listCounts(network.statuses)],
        ],
        violations: {
          ...violations,
          unfinished,
          'wrong response of the API': [...network.wrongResponses, ...reports.wrongResponses],
          'no participant was told': isUntold ? [fault.kind] : [],
        },
      }
    },
  }
}
