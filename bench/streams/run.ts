import { setTimeout as pause } from 'node:timers/promises'
import { parseNumberOptions, quantile, rounded, saveFigures } from '../deliveries/figures.ts'
import { readsDuring } from '../ingest/crowd.ts'
import { startFixtures } from '../ingest/fixtures.ts'
import { newPhone } from '../ingest/phone.ts'
import { createHosts } from './hosts.ts'
import { openListener } from './listener.ts'

/**
 * `node bench/streams/run.ts [--streams=1000] [--projects=200] [--changes=50] [--seconds=30]`: the
 * latency of reads of one project: alone, then while conversations of other tenants start at the rate of `--changes`, then also with
 * open streams of their events and conversation states. Goal: the p99 of the reads at most doubles.
 */
const options = parseNumberOptions({ streams: 1_000, projects: 200, changes: 50, seconds: 30 })
const GOALS = { read_p99_grows_by: 2 }
/** The limit of streams per user. */
const STREAMS_PER_USER = 20

await using fixtures = await startFixtures()
const hosts = await createHosts(fixtures, {
  count: Math.ceil(options.streams / STREAMS_PER_USER),
  projects: options.projects,
})
const projects = hosts.flatMap((host) =>
  host.projects.map((id) => ({ id, authorization: host.authorization })),
)
const duration = () => pause(options.seconds * 1000)

// The first reads and starts warm up the compiler.
await startDuring(readsDuring(fixtures, pause(5_000)))
const alone = await readsDuring(fixtures, duration())
const withChanges = await startDuring(readsDuring(fixtures, duration()))
const listener = openListener(fixtures.api.url)
for (let n = 0; n < options.streams; n++) {
  const { id, authorization } = projects[n % projects.length] as (typeof projects)[number]
  const path = Math.floor(n / projects.length) % 2 === 0 ? 'events/stream' : 'stream'
  await listener.open(`/api/v2/projects/${id}/${path}`, authorization)
}
const withStreams = await startDuring(readsDuring(fixtures, duration()), listener.changed)
const expected = withStreams.started.reduce((sum, id) => sum + listener.streamsOf(id), 0)
const received = await listener.received(expected)
listener.close()

const quiet = figuresOf(alone)
const busy = figuresOf(withChanges.reads)
const streaming = figuresOf(withStreams.reads)
await saveFigures('streams', {
  goals: GOALS,
  ...options,
  users: hosts.length,
  alone: quiet,
  with_changes: busy,
  with_changes_and_streams: streaming,
  read_p50_grows_by: rounded(streaming.p50_ms / quiet.p50_ms, 2),
  read_p99_grows_by: rounded(streaming.p99_ms / quiet.p99_ms, 2),
  read_p99_grows_by_streams_alone: rounded(streaming.p99_ms / busy.p99_ms, 2),
  changes_started: withStreams.started.length,
  events_expected: expected,
  events_received: received.length,
  event_p50_ms: rounded(quantile(received, 0.5), 1),
  event_p99_ms: rounded(quantile(received, 0.99), 1),
  memory_mb: rounded((await fixtures.api.memory()).now, 1),
})

/** Starts conversations at the given rate until the reads are over, one project after the other. */
async function startDuring(reads: Promise<number[]>, onStart?: (conversationId: string) => void) {
  const started: string[] = []
  const starting: Promise<void>[] = []
  let next = 0
  const start = async () => {
    const { id } = projects[next++ % projects.length] as (typeof projects)[number]
    const phone = await newPhone(fixtures.api.url, id)
    onStart?.(phone.id)
    started.push(id)
  }
  const timer = setInterval(() => void starting.push(start()), 1000 / options.changes)
  const durations = await reads
  clearInterval(timer)
  await Promise.all(starting)
  return { reads: durations, started }
}

function figuresOf(durations: number[]) {
  return {
    reads: durations.length,
    p50_ms: rounded(quantile(durations, 0.5), 2),
    p99_ms: rounded(quantile(durations, 0.99), 2),
  }
}
