import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { V8_FLAGS } from '../../server/start/v8-flags.ts'
import { now, type Remote } from './children.ts'
import { median, rounded, saveFigures } from './figures.ts'
import { type Harness, openHarness } from './harness.ts'
import { BODY } from './post.ts'
import type { Contender, ContenderOptions, Ours } from './types.ts'

/**
 * `node bench/deliveries/run.ts [--posts=160000] [--rounds=3] [--only=bare,graphile] [--webhooks=100]`: sustained posts per second
 * to 100 webhooks of one fast receiver, each contender in one process, in turns, since machines are noisy. Prints medians, what
 * Parley makes of each peer's rate, and the SQL statements per delivery. Sustained is a quarter of a
 * minute and more: shorter runs show the start and a short queue.
 *
 * `--webhooks=100,1000` measures Parley (or those of `--only`) with each number of busy webhooks in the same run, and prints each
 * rate as a share of the first. Goals: 0.9 with 1,000 and 0.75 with 10,000 webhooks compared with 100.
 *
 * `--processes=1,2,4,8` measures Parley with each number of dispatcher processes on one database, with `--posts` for each process, and
 * prints each rate as a multiple of the first. Goals: 3.2 with 4 and 5 with 8 processes, where there are cores for them, PostgreSQL and the receivers (`--receivers=4`).
 *
 * `--postgres=shared_buffers=8GB,max_wal_size=32GB` changes settings of PostgreSQL, for all contenders.
 */
const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '160000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    webhooks: { type: 'string', default: '100' },
    processes: { type: 'string', default: '1' },
    receivers: { type: 'string', default: '1' },
    postgres: { type: 'string', default: '' },
  },
})
const POSTS = Number(values.posts)
const ROUNDS = Number(values.rounds)
const WEBHOOKS = values.webhooks.split(',').map(Number)
const [FIRST = 100] = WEBHOOKS
const PROCESSES = values.processes.split(',').map(Number)
const [FIRST_PROCESSES = 1] = PROCESSES
const isGrowth = WEBHOOKS.length > 1 || PROCESSES.length > 1
const POSTGRES = values.postgres.split(',').filter((setting) => setting !== '')
const ONLY = values.only ?? (isGrowth ? 'ours' : 'bare,ours,graphile,graphile-tuned,bullmq')
/** The share of the first rate that Parley must reach with a larger number of webhooks. */
const WEBHOOKS_GOALS: Record<number, number> = { 1000: 0.9, 10000: 0.75 }
/** The multiple of the rate of one process. */
const PROCESSES_GOALS: Record<number, number> = { 4: 3.2, 8: 5 }
/** Each peer gets the concurrency that is fastest for it here. Parley chooses its own. */
const IN_FLIGHT: Record<string, number[]> = {
  bare: [64, 200, 800],
  ours: [0],
  'ours-undici': [0],
  graphile: [24, 100],
  'graphile-tuned': [24, 100, 800],
  bullmq: [100, 200, 400],
}
const GOALS: Record<string, number> = { bare: 0.5, graphile: 2.5, 'graphile-tuned': 2.5, bullmq: 2 }
const TUNED = '-tuned'

interface Entry {
  name: string
  webhooks: number
  database: string
  /** One for each process; several only of Parley. */
  contenders: Remote<Contender>[]
  inFlight: number
  perSecond: number[]
  statements: number[]
  /** The statements of the last round that took PostgreSQL longest. */
  slowest: Awaited<ReturnType<Harness['statementsOf']>>
  /** The memory of the largest process, after each round. */
  memoryMb: number[]
}

await using harness = await openHarness(Number(values.receivers), POSTGRES)
const entries: Entry[] = []
for (const name of ONLY.split(',')) {
  for (const webhooks of WEBHOOKS)
    for (const processes of PROCESSES) {
      const parts = [
        name,
        ...(WEBHOOKS.length > 1 ? [webhooks] : []),
        ...(PROCESSES.length > 1 ? [`${processes}p`] : []),
      ]
      const database = parts.join('-')
      const contenders = await start(name, database, webhooks, processes)
      const figures = { inFlight: 0, perSecond: [], statements: [], slowest: [], memoryMb: [] }
      if (contenders) entries.push({ name, webhooks, database, contenders, ...figures })
    }
}
for (const entry of entries) await warmUp(entry)
for (let round = 0; round < ROUNDS; round++) {
  for (const entry of entries) {
    const { perSecond, statements, slowest } = await measure(entry, POSTS)
    entry.perSecond.push(perSecond)
    entry.statements.push(statements)
    entry.slowest = slowest
    const memories = await Promise.all(entry.contenders.map((each) => each.memory()))
    entry.memoryMb.push(Math.round(Math.max(...memories) / 1024 / 1024))
    console.log(`round ${round + 1}: ${entry.database} ${Math.round(perSecond)} posts/s`)
  }
}

const rateOf = (name: string, webhooks: number, processes = FIRST_PROCESSES): number | null => {
  const entry = entries.find(
    (each) => each.name === name && each.webhooks === webhooks && each.contenders.length === processes,
  )
  return entry ? median(entry.perSecond) : null
}
const ours = rateOf('ours', FIRST)
console.table(entries.map(row))
await saveFigures(resultName(), {
  posts: POSTS,
  rounds: ROUNDS,
  webhooks: WEBHOOKS,
  processes: PROCESSES,
  receivers: Number(values.receivers),
  postgres: POSTGRES,
  body_bytes: Buffer.byteLength(BODY),
  fsync: await harness.setting('fsync'),
  synchronous_commit: await harness.setting('synchronous_commit'),
  node_flags: { ours: V8_FLAGS, peers: [] },
  redis: 'appendonly yes, appendfsync everysec, no snapshots',
  versions: await versions('undici', 'pg', 'graphile-worker', 'bullmq', 'ioredis'),
  contenders: Object.fromEntries(entries.map((entry) => [entry.database, figuresOf(entry)])),
})

/** Only the comparison with the peers is saved as `deliveries`. */
function resultName(): string {
  if (PROCESSES.length > 1) return FIRST === 100 ? 'deliveries-processes' : `deliveries-processes-${FIRST}`
  if (WEBHOOKS.length > 1) return 'deliveries-webhooks'
  return ONLY.includes('ours-undici') ? 'deliveries-undici' : 'deliveries'
}

async function start(
  name: string,
  database: string,
  webhooks: number,
  processes: number,
): Promise<Remote<Contender>[] | null> {
  const redisPort = name === 'bullmq' ? await redisFor(harness) : 0
  if (redisPort === null) return null
  const databaseUrl = await harness.createDatabase(database)
  const options: ContenderOptions = {
    addresses: harness.addresses(webhooks),
    databaseUrl,
    redisPort,
    tuned: name.endsWith(TUNED),
  }
  const file = `${name.replace(TUNED, '')}.ts`
  const contenders: Remote<Contender>[] = []
  for (let n = 0; n < processes; n++) {
    const contender = harness.start<Contender>(file, options)
    // The first one creates the webhooks; the others find them.
    await contender.memory()
    contenders.push(contender)
  }
  return contenders
}

async function redisFor({ startRedis }: Harness): Promise<number | null> {
  try {
    createRequire(import.meta.url).resolve('ioredis')
  } catch {
    console.log('BullMQ is left out: its Redis client, the npm package ioredis, is not installed')
    return null
  }
  const port = await startRedis()
  if (port === null) console.log('BullMQ is left out: there is no redis-server on the PATH')
  return port
}

/** Warms up the compiler, and chooses the concurrency: the one with the best of two runs, because single runs vary. */
async function warmUp(entry: Entry): Promise<void> {
  const choices = IN_FLIGHT[entry.name] ?? []
  const posts = Math.ceil(POSTS / 4)
  await measure({ ...entry, inFlight: choices[0] ?? 0 }, posts)
  let best = 0
  for (const inFlight of [...choices, ...choices]) {
    const { perSecond } = await measure({ ...entry, inFlight }, posts)
    console.log(`warm-up: ${entry.database}, concurrency ${inFlight}: ${Math.round(perSecond)} posts/s`)
    if (perSecond > best) [best, entry.inFlight] = [perSecond, inFlight]
  }
}

async function measure({ name, database, contenders, inFlight }: Entry, postsPerProcess: number) {
  const posts = postsPerProcess * contenders.length
  const [first] = contenders as [Remote<Contender>]
  await first.seed(posts)
  await harness.checkpoint()
  for (const receiver of harness.receivers) await receiver.reset()
  let elapsedMs = 0
  const statements = await harness.statementsOf(database, async () => {
    elapsedMs =
      contenders.length === 1
        ? await first.run(posts, inFlight)
        : await runTogether(contenders as Remote<Ours>[], posts)
  })
  const counts = await Promise.all(harness.receivers.map((receiver) => receiver.count()))
  const responded = counts.reduce((sum, each) => sum + each.responded, 0)
  if (responded !== posts) throw new Error(`${name} made ${responded} posts instead of ${posts}`)
  const calls = statements.reduce((sum, each) => sum + each.calls, 0)
  return { perSecond: (posts / elapsedMs) * 1000, statements: calls / posts, slowest: statements.slice(0, 5) }
}

async function runTogether(dispatchers: Remote<Ours>[], posts: number): Promise<number> {
  const began = now()
  await Promise.all(dispatchers.map((each) => each.start()))
  let attempted: number[] = []
  do {
    await pause(20)
    attempted = await Promise.all(dispatchers.map((each) => each.attempted()))
  } while (attempted.reduce((sum, count) => sum + count, 0) < posts)
  while (await dispatchers[0]?.anyPending()) await pause(5)
  const elapsed = now() - began
  await Promise.all(dispatchers.map((each) => each.stop()))
  console.log(`posts of each process: ${attempted.join(', ')}`)
  return elapsed
}

function figuresOf(entry: Entry) {
  const { name, webhooks, contenders, inFlight, perSecond, statements, slowest, memoryMb } = entry
  const rate = median(perSecond)
  const processes = contenders.length
  const first = rateOf(name, FIRST, processes)
  const alone = rateOf(name, webhooks)
  const isPeer = ours && name !== 'ours' && webhooks === FIRST
  return {
    webhooks,
    ...(PROCESSES.length > 1 ? { processes } : {}),
    per_second: Math.round(rate),
    ...(isPeer ? { ours_to_this: rounded(ours / rate), goal: GOALS[name] } : {}),
    ...(first && webhooks !== FIRST
      ? { of_first: rounded(rate / first), goal: WEBHOOKS_GOALS[webhooks] }
      : {}),
    ...(alone && processes !== FIRST_PROCESSES
      ? { times_one: rounded(rate / alone), goal: PROCESSES_GOALS[processes] }
      : {}),
    statements_per_delivery: rounded(median(statements), 4),
    in_flight: inFlight,
    memory_mb: Math.max(...memoryMb),
    rounds: perSecond.map(Math.round),
    slowest_statements: slowest,
  }
}

function row(entry: Entry) {
  const { rounds: _, slowest_statements: __, ...figures } = figuresOf(entry)
  return { contender: entry.name, ...figures }
}

async function versions(...names: string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const name of names) {
    const file = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
    const text = await readFile(file, 'utf8').catch(() => null)
    if (text !== null) found[name] = (JSON.parse(text) as { version: string }).version
  }
  return found
}
