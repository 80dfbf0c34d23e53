import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { buildOrDispose, startPostgres } from '../resources.ts'
import { now, OURS, type Remote, type RunningChild, startChild } from './children.ts'
import type { Receiver } from './receiver.ts'
import type { Commit, ContenderOptions, Ours } from './types.ts'

const REDIS_START_LIMIT_MS = 10_000
const ARRIVAL_LIMIT_MS = 30_000

interface StatementTime {
  statement: string
  calls: number
  ms: number
  wal_mib: number
}

export type Harness = Awaited<ReturnType<typeof build>>

/** PostgreSQL, a receiver and child processes for a benchmark. Disposing of it stops them, also after a failure or a signal. */
export const openHarness = (receivers = 1, postgresSettings: string[] = []): Promise<Harness> =>
  buildOrDispose((stack) => build(stack, receivers, postgresSettings))

async function build(stack: AsyncDisposableStack, receiverCount: number, postgresSettings: string[]) {
  const children: RunningChild<unknown>[] = []
  let isStopped = false
  const start = <T>(file: string, options?: unknown): Remote<T> => {
    if (isStopped) throw new Error('stopped')
    const child = startChild<T>(file, options)
    children.push(child)
    stack.defer(() => child.stop())
    return child.remote
  }
  // Stopped children fail the calls to them, and the failed benchmark disposes of everything else.
  const interrupt = () => {
    isStopped = true
    for (const child of children) void child.stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)

  const settings = ['shared_preload_libraries=pg_stat_statements', ...postgresSettings]
  const { folder, url: serverUrl } = await startPostgres(stack, settings)
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  stack.defer(() => admin.end())
  await admin.query('create extension pg_stat_statements')

  const receivers = Array.from({ length: receiverCount }, () => start<Receiver>('receiver.ts'))
  const receiverUrls = await Promise.all(receivers.map((each) => each.listen()))
  const receiver = receivers[0] as Remote<Receiver>

  const createDatabase = async (name: string): Promise<string> => {
    await admin.query(`create database "${name}"`)
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    return url.href
  }

  /** Writes dirty pages to disk now, so that no checkpoint starts during the measurement. */
  const checkpoint = () => admin.query('checkpoint')

  return {
    start,
    /** The only one, unless the benchmark asked for several. */
    receiver,
    receivers,
    createDatabase,
    checkpoint,
    addresses: (count: number, path = '/w') =>
      Array.from({ length: count }, (_, n) => `${receiverUrls[n % receiverCount]}${path}/${n}`),

    startOurs(databaseUrl: string, addresses: string[]): Remote<Ours> {
      return start<Ours>(OURS, {
        databaseUrl,
        addresses,
        redisPort: 0,
        tuned: true,
      } satisfies ContenderOptions)
    },

    /** Starts `ours`, which was seeded with `count` deliveries. Returns how many it delivers per second. */
    async drain(ours: Remote<Ours>, count: number): Promise<number> {
      await checkpoint()
      await receiver.reset()
      const reached = receiver.reached(count)
      const started = now()
      await ours.start()
      const perSecond = (count / ((await reached) - started)) * 1000
      await ours.stop()
      return perSecond
    },

    /**
     * Publishes an event to each of `webhooks` in turn, with pauses, while `ours` delivers them.
     * @returns the milliseconds until the receiver has the first byte, for webhooks with a path below /w
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

    /** Returns the port of a new Redis, or null if redis-server is not installed. */
    async startRedis(): Promise<number | null> {
      const port = await freePort()
      // The usual durability of Redis: the append-only file is synced once a second. No snapshots.
      const durability = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', '']
      const location = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder]
      const child = spawn('redis-server', [...location, ...durability], { stdio: 'ignore' })
      const exited = once(child, 'exit').catch(() => null)
      stack.defer(async () => {
        child.kill('SIGTERM')
        await exited
      })
      const responds = await Promise.race([exited.then(() => false), accepts(port, REDIS_START_LIMIT_MS)])
      return responds ? port : null
    },

    /** The SQL statements of `work` in a database, including BEGIN and COMMIT, those that took longest first. */
    async statementsOf(database: string, work: () => Promise<void>): Promise<StatementTime[]> {
      await admin.query('select pg_stat_statements_reset()')
      await work()
      const { rows } = await admin.query<StatementTime>(
        `select left(regexp_replace(query, '\\s+', ' ', 'g'), 60) as statement, calls::integer,
           round(total_exec_time)::integer as ms, round(wal_bytes / 1024 / 1024)::integer as wal_mib
         from pg_stat_statements join pg_database on pg_database.oid = dbid where datname = $1
         order by total_exec_time desc`,
        [database],
      )
      return rows
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
    // If a delivery was sent twice, its first arrival counts.
    const firsts = new Map(arrivals.toReversed())
    if (commits.every(({ id }) => firsts.has(id))) return firsts
  }
  throw new Error(`Some deliveries did not arrive within ${ARRIVAL_LIMIT_MS / 1000} s.`)
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
