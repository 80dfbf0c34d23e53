import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  type Context,
  listCounts,
  type PreparedRun,
  type Row,
  type Scenario,
  type Size,
} from '../framework/chaos-run.ts'
import { createProjects } from '../framework/fixtures.ts'
import { check } from './checker.ts'
import { readEvidence, readJobs, readUnfinished } from './evidence.ts'
import { createSchedule } from './faults.ts'
import { startModel } from './model.ts'
import { createParticipants } from './participants.ts'
import { CANARY } from './recording.ts'
import { createReportRequests } from './report-requests.ts'
import { mountSmallDisk } from './small-disk.ts'

interface ConversationsSize extends Size {
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
  short: { seconds: 12, faults: 15, conversations: 17, chunks: 4, participants: 10, drain: 120, within: 450 },
  prepare,
}

const WORKERS = 2
const MEGABYTE = 1024 * 1024
/** A chunk is at most 0.75 s at 16 kHz. It is stored twice once the audio is joined, and erased ones stay for a while. */
const CHUNK_BYTES = 25_000
const CONVERSATIONS_PER_REPORT = 10

async function prepare({ fixtures, size, seed, random }: Context<ConversationsSize>): Promise<PreparedRun> {
  const { cluster, waits } = fixtures
  const megabytes = 48 + Math.ceil((2.2 * size.conversations * size.chunks * CHUNK_BYTES) / MEGABYTE)
  const disk = await mountSmallDisk(join(fixtures.folder, 'disk'), megabytes)
  fixtures.onStop(() => disk.unmount())
  const model = await startModel(fixtures, seed)
  const settings = { ...model.settings, FILES_URL: pathToFileURL(disk.folder).href }
  await fixtures.startService('api', { ...settings, ROLES: 'api' })
  for (let number = 1; number <= WORKERS; number++)
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
  const schedule = createSchedule(fixtures, participants, reports, disk, random.fork('faults'), size)
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
      const evidence = await readEvidence(cluster, join(disk.folder, 'files/conversations'))
      const { violations, rows } = check(sessions, reports.accepted, evidence)
      const isDiskUntested = disk.canFill && participants.diskFullResponses() === 0
      return {
        rows: [
          ...rows,
          ...(disk.canFill ? [] : [['disk full', 'left out: this account cannot mount a disk'] as Row]),
          ['errors of the model', listCounts(model.errors)],
          ['responses to participants', listCounts(network.statuses)],
        ],
        violations: {
          ...violations,
          unfinished,
          'wrong response of the API': [...network.wrongResponses, ...reports.wrongResponses],
          'no participant got a 507': isDiskUntested ? ['the disk was full'] : [],
        },
      }
    },
  }
}
