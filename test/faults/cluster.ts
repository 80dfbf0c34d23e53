import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../database/migrate.ts'
import { createLog } from '../../platform/log.ts'
import { EmbeddedPostgres } from '../../server/embedded/postgres.ts'

const MIGRATIONS = join(import.meta.dirname, '../../database/migrations')

/** A PostgreSQL of our own, that crashes when it is told to. It waits for the disk as it does in earnest. */
export interface Cluster {
  /** The way that no fault touches. */
  url: string
  password: string
  /** As `pg_ctl -m immediate restart`: no goodbye, no checkpoint. Resolves when it answers again. */
  crash(): Promise<void>
  stop(): Promise<void>
}

export async function startCluster(folder: string): Promise<Cluster> {
  const password = randomBytes(16).toString('hex')
  const log = createLog('silent')
  const postgres = new EmbeddedPostgres({
    dataDir: folder,
    password,
    log,
    settings: ['max_connections=400'],
  })
  const crashAtExit = () => void signalPostmaster(folder)
  process.on('exit', crashAtExit)
  const stop = async () => {
    await postgres.stop()
    process.off('exit', crashAtExit)
  }
  try {
    const url = await postgres.start()
    await migrate({ url, schema: 'parley', folder: MIGRATIONS, log })
    await createLedger(url)
    return { url, password, crash: () => crash(folder, url), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Written by the producer in the transaction of the event: it says what was committed. */
async function createLedger(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`create table parley.faults_ledger (
    key text primary key, project_id uuid not null, began_at timestamptz not null default now())`)
  await client.end()
}

/** Whoever started it brings it back: here, the service's own embedded PostgreSQL. */
async function crash(folder: string, url: string): Promise<void> {
  const before = signalPostmaster(folder)
  while (postmasterOf(folder) === before || !(await answers(url))) await pause(20)
}

function postmasterOf(folder: string): number {
  try {
    return Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
  } catch {
    return 0
  }
}

/** What `pg_ctl -m immediate` sends. */
function signalPostmaster(folder: string): number {
  const pid = postmasterOf(folder)
  try {
    if (pid > 0) process.kill(pid, 'SIGQUIT')
  } catch {
    // It is gone already.
  }
  return pid
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
