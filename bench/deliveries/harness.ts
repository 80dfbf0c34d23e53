import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { createLog } from '../../platform/log.ts'
import { EmbeddedPostgres } from '../../server/embedded/postgres.ts'
import { now, OURS, type Remote, type RunningChild, startChild } from './children.ts'
import type { Receiver } from './receiver.ts'
import type { Commit, ContenderOptions, Ours } from './types.ts'

const REDIS_START_LIMIT_MS = 10_000
const ARRIVAL_LIMIT_MS = 30_000

export type Harness = Awaited<ReturnType<typeof build>>

/** What a benchmark stands on. Everything it started ends with it, also when the benchmark fails or is stopped. */
export async function openHarness(): Promise<Harness> {
  const stack = new AsyncDisposableStack()
  try {
    return await build(stack)
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

async function build(stack: AsyncDisposableStack) {
  const children: RunningChild<unknown>[] = []
  let isStopped = false
  const start = <T>(file: string, options: unknown = {}): Remote<T> => {
    if (isStopped) throw new Error('stopped')
    const child = startChild<T>(file, options)
    children.push(child)
    stack.defer(() => child.stop())
    return child.remote
  }
  // Calls to children fail from now on, and the failure stops everything.
  const interrupt = () => {
    isStopped = true
    for (const child of children) void child.stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)

  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  // PostgreSQL may run under another account.
  await chmod(folder, 0o711)
  const settings = ['shared_preload_libraries=pg_stat_statements']
  const postgres = new EmbeddedPostgres({
    dataDir: folder,
    password: 'bench',
    log: createLog('warn'),
    settings,
  })
  stack.defer(() => postgres.stop())
  const serverUrl = await postgres.start()
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  stack.defer(() => admin.end())
  await admin.query('create extension pg_stat_statements')

  const receiver = start<Receiver>('receiver.ts')
  const receiverUrl = await receiver.listen()

  const createDatabase = async (name: string): Promise<string> => {
    await admin.query(`create database "${name}"`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    return url.href
  }

  /** What was written so far goes to the disk now, instead of in the middle of what is measured. */
  const settle = () => admin.query('checkpoint')

  return {
    start,
    receiver,
    createDatabase,
    settle,
    addresses: (count: number, path = '/w') =>
      Array.from({ length: count }, (_, n) => `${receiverUrl}${path}/${n}`),

    startOurs(databaseUrl: string, addresses: string[]): Remote<Ours> {
      return start<Ours>(OURS, {
        databaseUrl,
        addresses,
        redisPort: 0,
        tuned: true,
      } satisfies ContenderOptions)
    },

    /** Posts per second, of `count` that `ours` was seeded with for webhooks that respond. */
    async drain(ours: Remote<Ours>, count: number): Promise<number> {
      await settle()
      await receiver.reset()
      const reached = receiver.reached(count)
      const started = now()
      await ours.start()
      const perSecond = (count / ((await reached) - started)) * 1000
      await ours.stop()
      return perSecond
    },

    /**
     * Publishes an event to each of `webhooks` in turn, with a pause between two, while `ours` delivers.
     * @returns of those that go to a path below /w, the milliseconds to the first byte at the receiver
     */
    async publishSlowly(ours: Remote<Ours>, webhooks: number[], addresses: string[], pauseMs: number) {
      await receiver.reset()
      await receiver.watch('/w/')
      const commits: Commit[] = []
      for (const webhook of webhooks) {
        const commit = await ours.publish(webhook)
        if (addresses[webhook]?.includes('/w/')) commits.push(commit)
        await pause(pauseMs)
      }
      const arrivals = await arrivalsOf(receiver, commits)
      const since = (moment: 'sent' | 'committed') =>
        commits.map((commit) => (arrivals.get(commit.id) ?? Number.NaN) - commit[moment])
      return { fromCommitted: since('committed'), fromSent: since('sent') }
    },

    /** The port of a new Redis, or null where there is no redis-server. */
    async startRedis(): Promise<number | null> {
      const port = await freePort()
      // Its usual durability: its log reaches the disk once a second. No snapshots beside that.
      const log = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', '']
      const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder]
      const child = spawn('redis-server', [...place, ...log], { stdio: 'ignore' })
      const gone = once(child, 'exit').catch(() => null)
      stack.defer(async () => {
        child.kill('SIGTERM')
        await gone
      })
      const responds = await Promise.race([gone.then(() => false), accepts(port, REDIS_START_LIMIT_MS)])
      return responds ? port : null
    },

    /** How many SQL statements `work` makes in a database, BEGIN and COMMIT among them. */
    async countStatements(database: string, work: () => Promise<void>): Promise<number> {
      await admin.query('select pg_stat_statements_reset()')
      await work()
      const { rows } = await admin.query<{ calls: string | null }>(
        `select sum(calls) as calls from pg_stat_statements
         join pg_database on pg_database.oid = dbid where datname = $1`,
        [database],
      )
      return Number(rows[0]?.calls ?? 0)
    },

    async setting(name: string): Promise<string> {
      const { rows } = await admin.query<Record<string, string>>(`show ${name}`)
      return rows[0]?.[name] ?? ''
    },

    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

async function arrivalsOf(receiver: Remote<Receiver>, commits: Commit[]): Promise<Map<string, number>> {
  for (const deadline = now() + ARRIVAL_LIMIT_MS; now() < deadline; await pause(100)) {
    const arrivals = await receiver.arrivals()
    // The first counts, should one be sent again.
    const firsts = new Map(arrivals.toReversed())
    if (commits.every(({ id }) => firsts.has(id))) return firsts
  }
  throw new Error('some deliveries never arrived')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

async function accepts(port: number, limitMs: number): Promise<boolean> {
  for (const deadline = now() + limitMs; now() < deadline; await pause(25)) {
    const socket = connect(port, '127.0.0.1')
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (connected) return true
  }
  return false
}
