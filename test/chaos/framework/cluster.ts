import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../../database/migrate.ts'
import { createLog } from '../../../platform/log.ts'
import { EmbeddedPostgres } from '../../../server/embedded/postgres.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../database/migrations')

/** A PostgreSQL server that crashes on request. It runs with fsync, as in production. */
export interface Cluster {
  /** A direct connection that no fault affects. */
  url: string
  /** For the processes, where faults happen in the cluster itself. Without it, each process gets a proxy to `url`. */
  serviceUrl?: string
  password: string
  /** Runs one statement on a new direct connection, with timeouts. */
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  /** Like `pg_ctl -m immediate restart`: no checkpoint. Resolves when the server accepts queries again. */
  crash(): Promise<void>
  stop(): Promise<void>
}

interface ClusterOptions {
  /** False where the first process of the service creates the tables. */
  migrates?: boolean
  /** Further settings of PostgreSQL, `name=value`. */
  settings?: string[]
}

export async function startCluster(
  folder: string,
  { migrates = true, settings: more = [] }: ClusterOptions = {},
): Promise<Cluster> {
  const password = randomBytes(16).toString('hex')
  const log = createLog('silent')
  const settings = ['max_connections=400', ...more]
  const postgres = new EmbeddedPostgres({ dataDir: folder, password, log, settings })
  const crashAtExit = () => void signalPostmaster(folder)
  process.on('exit', crashAtExit)
  const stop = async () => {
    await postgres.stop()
    process.off('exit', crashAtExit)
  }
  try {
    const url = await postgres.start()
    if (migrates) await migrate({ url, schema: 'parley', folder: MIGRATIONS, log })
    const query: Cluster['query'] = (text, values) => queryOnce(url, text, values)
    const isUp = () =>
      query('select 1').then(
        () => true,
        () => false,
      )
    const crash = async () => {
      const before = signalPostmaster(folder)
      // The embedded server restarts its postmaster.
      while (postmasterPid(folder) === before || !(await isUp())) await pause(20)
    }
    return { url, password, query, crash, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Runs one statement on a connection of its own. */
export async function queryOnce<R extends pg.QueryResultRow>(
  connectionString: string,
  text: string,
  values: unknown[] = [],
  { settings = [], connectLimitMs = 10_000 }: { settings?: string[]; connectLimitMs?: number } = {},
): Promise<R[]> {
  const client = new pg.Client({
    connectionString,
    options: ['search_path=parley', ...settings].map((setting) => `-c ${setting}`).join(' '),
    connectionTimeoutMillis: connectLimitMs,
    query_timeout: 60_000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<R>(text, values)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

function postmasterPid(folder: string): number {
  try {
    return Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return 0
  }
}

/** Sends the signal of `pg_ctl -m immediate`. */
function signalPostmaster(folder: string): number {
  const pid = postmasterPid(folder)
  try {
    if (pid > 0) process.kill(pid, 'SIGQUIT')
  } catch {
    // The process has already exited.
  }
  return pid
}
