import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { isProcessAlive } from '../../platform/is-process-alive.ts'
import type { Logger } from '../../platform/log.ts'
import { StartupError } from '../../platform/startup-error.ts'
import { type Cluster, DATABASE_USER, launch, openCluster } from './cluster.ts'
import { isRunning } from './is-running.ts'
import { readPidFile, readPostmaster, removeStalePidFile } from './postmaster.ts'

export interface EmbeddedPostgresOptions {
  /** Contains the cluster (`postgres/`) and its log. */
  dataDir: string
  /** The password of `parley`, the only database user. */
  password: string
  log: Logger
  /** Further settings of PostgreSQL, `name=value`. */
  settings?: string[]
  /** Timeout of the start; by default a minute. For tests. */
  startLimitMs?: number
  /** For tests. */
  choosePort?: () => Promise<number>
}

class DataDirInUse extends StartupError {
  constructor(dataDir: string) {
    super(`Another Parley is running on ${dataDir}. Stop it, or set DATA_DIR to another folder.`)
    this.name = 'DataDirInUse'
  }
}

const DATABASE = 'parley'
const START_LIMIT_MS = 60_000
const POLL_MS = 25
/** A frozen server accepts connections and never responds: without this timeout, the start would hang. */
const RESPONSE_LIMIT_MS = 5_000
const FIRST_BACKOFF_MS = 250
const MAX_BACKOFF_MS = 10_000
/** A server that has not ended after a fast shutdown gets an immediate one, and recovers at the next start. */
const FAST_STOP_MS = 4_000

/** Statements and parameters are not logged, because they can contain transcripts. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'max_connections=100',
]

/**
 * The embedded PostgreSQL: started, or taken over from a killed Parley that left it running. The process that holds an advisory
 * lock on its `owner` connection owns the server. PostgreSQL releases the lock when that process ends, so no pid file can go stale.
 */
export class EmbeddedPostgres {
  private owner: pg.Client | null = null
  private port = 0
  /** From then on the port stays, because the address of the database is known to others. */
  private hasStarted = false
  private readonly stopping = new AbortController()
  /** The server that this process launched. */
  private launched: ChildProcess | null = null
  private nextLaunchAt = 0
  private launchBackoff = FIRST_BACKOFF_MS
  private starting: Promise<string> | null = null
  private recovering: Promise<void> | null = null
  private readonly folder: string
  private readonly options: EmbeddedPostgresOptions

  constructor(options: EmbeddedPostgresOptions) {
    this.options = options
    this.folder = join(options.dataDir, 'postgres')
  }

  /** Resolves to the address of the database when it accepts connections. */
  start(): Promise<string> {
    this.starting ??= this.startUp()
    return this.starting
  }

  private async startUp(): Promise<string> {
    const cluster = await openCluster(this.folder, this.options)
    await this.own(cluster)
    this.hasStarted = true
    await createDatabase(this.urlOf('postgres'))
    return this.urlOf(DATABASE)
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted
  }

  private urlOf(database: string): string {
    return `postgres://${DATABASE_USER}:${encodeURIComponent(this.options.password)}@127.0.0.1:${this.port}/${database}`
  }

  /** Retries until this process owns the server: it refuses connections while it starts, recovers or shuts down. */
  private async own(cluster: Cluster): Promise<void> {
    const deadline = performance.now() + (this.options.startLimitMs ?? START_LIMIT_MS)
    while (!this.isStopping) {
      const running = await readPostmaster(this.folder)
      if (running) this.port = running.port
      else if (this.canLaunch()) await this.launchPostgres(cluster)
      if (await this.tryToOwn(cluster)) return
      if (performance.now() > deadline)
        throw new StartupError(`PostgreSQL did not start. See ${logFile(this.options.dataDir)}.`)
      await pause(POLL_MS)
    }
    throw new StartupError('PostgreSQL was stopped while starting.')
  }

  /** A server that fails immediately, as on a full disk, would be launched fifteen times a second and fill its log. */
  private canLaunch(): boolean {
    if (this.launched && isRunning(this.launched)) return false
    return performance.now() >= this.nextLaunchAt
  }

  /** Each launch of the first start has its own port: before PostgreSQL binds it, any connection of the machine can take it. */
  private async launchPostgres(cluster: Cluster): Promise<void> {
    const { choosePort = freePort } = this.options
    this.nextLaunchAt = performance.now() + this.launchBackoff
    this.launchBackoff = Math.min(this.launchBackoff * 2, MAX_BACKOFF_MS)
    if (!this.hasStarted) this.port = await choosePort()
    await removeStalePidFile(this.folder)
    const log = await open(logFile(this.options.dataDir), 'a', 0o600)
    const settings = [...SETTINGS, ...(this.options.settings ?? [])].flatMap((entry) => ['-c', entry])
    const args = ['-D', this.folder, '-p', String(this.port), ...settings]
    const child = launch(cluster, cluster.binaries.postgres, args, log.fd)
    child.on('error', (err) =>
      this.options.log.error({ err, component: 'postgres' }, 'Could not launch PostgreSQL; retrying'),
    )
    child.unref()
    this.launched = child
    await log.close()
  }

  private async tryToOwn(cluster: Cluster): Promise<boolean> {
    const client = new pg.Client({
      connectionString: this.urlOf('postgres'),
      application_name: 'parley-owner',
      keepAlive: true,
      connectionTimeoutMillis: RESPONSE_LIMIT_MS,
      query_timeout: RESPONSE_LIMIT_MS,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ mine: boolean }>(
        "select pg_try_advisory_lock(hashtext('parley-owner')) as mine",
      )
      if (!rows[0]?.mine) throw new DataDirInUse(this.options.dataDir)
    } catch (error) {
      await client.end().catch(() => {})
      if (!(error instanceof DataDirInUse)) return false
      // The other process also stops the server, even if this one launched it.
      this.owner = null
      this.launched = null
      throw error
    }
    this.owner = client
    this.launchBackoff = FIRST_BACKOFF_MS
    client.once('end', () => {
      this.recovering = this.recover(cluster)
    })
    return true
  }

  /**
   * The server crashed or was restarted. Restarts it on the same port, for as long as it takes: a disk can be full for an hour.
   * If another Parley took it over in that moment, this one waits until that one ends.
   */
  private async recover(cluster: Cluster): Promise<void> {
    const { log } = this.options
    for (let delay = FIRST_BACKOFF_MS; !this.isStopping; delay = Math.min(delay * 2, MAX_BACKOFF_MS)) {
      log.warn({ component: 'postgres' }, 'Embedded PostgreSQL ended unexpectedly; restarting it')
      try {
        return await this.own(cluster)
      } catch (err) {
        if (this.isStopping) return
        const message = `Embedded PostgreSQL did not restart; retrying in ${delay / 1_000} s`
        log.error({ err, component: 'postgres' }, message)
      }
      await pause(delay, undefined, { signal: this.stopping.signal }).catch(() => {})
    }
  }

  /** Can be called during the start, so that no server is left running. */
  async stop(): Promise<void> {
    this.stopping.abort()
    await this.starting?.catch(() => {})
    await this.recovering
    const pid = await this.pidToStop()
    await this.owner?.end().catch(() => {})
    if (!pid || !isProcessAlive(pid)) return
    process.kill(pid, 'SIGINT')
    if (await this.hasEnded(pid, FAST_STOP_MS)) return
    process.kill(pid, 'SIGQUIT')
    await this.hasEnded(pid, FAST_STOP_MS)
  }

  /** Undefined if another Parley owns the server. A server that was just launched has not written its pid file yet. */
  private async pidToStop(): Promise<number | undefined> {
    if (this.launched && isRunning(this.launched)) return this.launched.pid
    return this.owner ? (await readPostmaster(this.folder))?.pid : undefined
  }

  /** A server that was taken over stays a zombie until init reaps it; it removes its pid file as its last step. */
  private async hasEnded(pid: number, limitMs: number): Promise<boolean> {
    const deadline = performance.now() + limitMs
    while (isProcessAlive(pid) && (pid === this.launched?.pid || (await readPidFile(this.folder)))) {
      if (performance.now() > deadline) return false
      await pause(POLL_MS)
    }
    return true
  }
}

const logFile = (dataDir: string): string => join(dataDir, 'postgres.log')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}
