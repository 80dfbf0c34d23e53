import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { isProcessAlive } from '../../platform/is-process-alive.ts'
import type { Logger } from '../../platform/log.ts'
import { createWakeSignal } from '../../platform/wake-signal.ts'
import { isRunning } from './is-running.ts'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { findServiceAccount, isOpenToOthers, type ServiceAccount } from './service-account.ts'

export interface EmbeddedPostgresOptions {
  /** Holds the cluster (`postgres/`) and its log. */
  dataDir: string
  /** Of the one database user, `parley`. */
  password: string
  log: Logger
  /** More of PostgreSQL's settings, `name=value`. */
  settings?: string[]
  /** How long a start may take, where a minute would be wrong. */
  startLimitMs?: number
}

class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`Another Parley is running on ${dataDir}. Stop it, or set DATA_DIR to another folder.`)
    this.name = 'DataDirInUse'
  }
}

const USER = 'parley'
const DATABASE = 'parley'
const START_LIMIT_MS = 60_000
const POLL_MS = 25
/** A frozen server takes connections and never answers; without a limit one of them would outlast the start's own. */
const ANSWER_LIMIT_MS = 5_000
const FIRST_BACKOFF_MS = 250
const MOST_BACKOFF_MS = 10_000
/** Fast shutdown first; a server that has not ended by then is told to stop at once (it recovers at the next start). */
const FAST_STOP_MS = 4_000

/** Quiet, since statements and parameters may hold what people said. */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'max_connections=100',
]

interface Cluster {
  folder: string
  binaries: PostgresBinaries
  account: ServiceAccount | null
  /** True where a private folder stands between the account and its files. */
  needsOverride: boolean
}

async function openCluster(folder: string, { dataDir, password }: EmbeddedPostgresOptions): Promise<Cluster> {
  const binaries = await findPostgresBinaries()
  const account = await findServiceAccount(folder)
  const paths = [dataDir, dirname(binaries.postgres)]
  const needsOverride = account !== null && (await Promise.all(paths.map(isOpenToOthers))).includes(false)
  const cluster = { folder, binaries, account, needsOverride }
  if (!(await exists(join(folder, 'PG_VERSION')))) await initialise(cluster, password)
  return cluster
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Into a folder beside, then renamed: a start that is cut off half-way leaves no half-made cluster behind. */
async function initialise(cluster: Cluster, password: string): Promise<void> {
  await removeOldDrafts(cluster.folder)
  const draft = `${cluster.folder}.new-${process.pid}`
  const passwordFile = `${draft}.password`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  for (const path of [draft, passwordFile])
    if (cluster.account) await chown(path, cluster.account.uid, cluster.account.gid)
  try {
    const flags = ['-D', draft, '-U', USER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '-E', 'UTF8']
    const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const child = launch(cluster, cluster.binaries.initdb, [...flags, ...locale], 'pipe')
    let output = ''
    child.stdout?.on('data', (data) => (output += data))
    child.stderr?.on('data', (data) => (output += data))
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`PostgreSQL could not make its data folder:\n${output.trim()}`)
    await rename(draft, cluster.folder)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(draft, { recursive: true, force: true })
  }
}

/** What a start left behind that was cut off in the middle. */
async function removeOldDrafts(folder: string): Promise<void> {
  for (const name of await readdir(dirname(folder))) {
    const pid = Number(/^postgres\.new-(\d+)/.exec(name)?.[1] ?? 0)
    if (pid > 0 && !isProcessAlive(pid))
      await rm(join(dirname(folder), name), { recursive: true, force: true })
  }
}

/** In a session of its own, so that Ctrl-C, which goes to the whole process group, does not stop the database first. */
function launch(cluster: Cluster, program: string, args: string[], output: 'pipe' | number): ChildProcess {
  const { account, needsOverride } = cluster
  const stdio = ['ignore', output, output] as const
  const common = {
    stdio: [...stdio],
    detached: true,
    cwd: '/',
    env: { PATH: process.env['PATH'], TZ: 'UTC' },
  }
  if (!account) return spawn(program, args, common)
  if (!needsOverride) return spawn(program, args, { ...common, uid: account.uid, gid: account.gid })
  // Behind a private folder the account may not even reach its own files; this capability alone lets it.
  const ids = [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  return spawn('setpriv', [...ids, ...capability, program, ...args], common)
}

/**
 * The embedded PostgreSQL: started, or taken over from a killed Parley that left it running.
 * Whoever holds the advisory lock on its `owner` connection owns the server: PostgreSQL releases it the moment that
 * process is gone, however it went, so there is no pid file of ours to go stale.
 */
export class EmbeddedPostgres {
  private owner: pg.Client | null = null
  private port = 0
  private stopping = false
  private readonly stopSignal = createWakeSignal()
  /** The server that we launched ourselves. */
  private launched: ChildProcess | null = null
  private launchAgainAt = 0
  private launchPause = FIRST_BACKOFF_MS
  private starting: Promise<string> | null = null
  private returning: Promise<void> | null = null
  private readonly folder: string
  private readonly options: EmbeddedPostgresOptions

  constructor(options: EmbeddedPostgresOptions) {
    this.options = options
    this.folder = join(options.dataDir, 'postgres')
  }

  /** The database's address, once it answers. */
  start(): Promise<string> {
    this.starting ??= this.startUp()
    return this.starting
  }

  private async startUp(): Promise<string> {
    const cluster = await openCluster(this.folder, this.options)
    await this.own(cluster)
    await createDatabase(this.urlOf('postgres'))
    return this.urlOf(DATABASE)
  }

  private urlOf(database: string): string {
    return `postgres://${USER}:${encodeURIComponent(this.options.password)}@127.0.0.1:${this.port}/${database}`
  }

  /** Until the server answers and we own it. Starting, recovering and shutting down all look alike: try again. */
  private async own(cluster: Cluster): Promise<void> {
    const deadline = performance.now() + (this.options.startLimitMs ?? START_LIMIT_MS)
    while (!this.stopping) {
      const running = await readPostmaster(this.folder)
      if (running) this.port = running.port
      else if (this.isToLaunch()) await this.launchPostgres(cluster)
      if (await this.tryToOwn(cluster)) return
      if (performance.now() > deadline)
        throw new Error(`PostgreSQL did not start: see ${logFile(this.options.dataDir)}`)
      await pause(POLL_MS)
    }
    throw new Error('stopped before it had started')
  }

  /** One that ends at once, on a full disk say, would be launched fifteen times a second, and write as often into its log. */
  private isToLaunch(): boolean {
    if (this.launched && isRunning(this.launched)) return false
    return performance.now() >= this.launchAgainAt
  }

  private async launchPostgres(cluster: Cluster): Promise<void> {
    this.launchAgainAt = performance.now() + this.launchPause
    this.launchPause = Math.min(this.launchPause * 2, MOST_BACKOFF_MS)
    if (this.port === 0) this.port = await freePort()
    await removeStrangersPid(this.folder)
    const log = await open(logFile(this.options.dataDir), 'a', 0o600)
    const settings = [...SETTINGS, ...(this.options.settings ?? [])].flatMap((entry) => ['-c', entry])
    const args = ['-D', this.folder, '-p', String(this.port), ...settings]
    const child = launch(cluster, cluster.binaries.postgres, args, log.fd)
    child.on('error', (err) =>
      this.options.log.error({ err, component: 'postgres' }, 'postgres could not be launched'),
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
      connectionTimeoutMillis: ANSWER_LIMIT_MS,
      query_timeout: ANSWER_LIMIT_MS,
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
      // It is theirs now, also to stop, even if it was ours before or we launched it.
      this.owner = null
      this.launched = null
      throw error
    }
    this.owner = client
    this.launchPause = FIRST_BACKOFF_MS
    client.once('end', () => {
      this.returning = this.ownAgain(cluster)
    })
    return true
  }

  /**
   * The connection ended without us: the server crashed or was restarted. Bring it back, on the same port, however long it
   * takes: a disk may be full for an hour. If another Parley took it in that moment we wait for that one to go.
   */
  private async ownAgain(cluster: Cluster): Promise<void> {
    const { log } = this.options
    for (let delay = FIRST_BACKOFF_MS; !this.stopping; delay = Math.min(delay * 2, MOST_BACKOFF_MS)) {
      log.warn({ component: 'postgres' }, 'the embedded PostgreSQL went away; bringing it back')
      try {
        return await this.own(cluster)
      } catch (err) {
        if (this.stopping) return
        log.error({ err, component: 'postgres' }, 'the embedded PostgreSQL did not come back; trying again')
      }
      await this.stopSignal.wait(delay)
    }
  }

  /** Also in the middle of its start, so that nothing is left behind. */
  async stop(): Promise<void> {
    this.stopping = true
    this.stopSignal.signal()
    await this.starting?.catch(() => {})
    await this.returning
    const pid = await this.pidToStop()
    await this.owner?.end().catch(() => {})
    if (!pid || !isProcessAlive(pid)) return
    process.kill(pid, 'SIGINT')
    if (await this.hasEnded(pid, FAST_STOP_MS)) return
    process.kill(pid, 'SIGQUIT')
    await this.hasEnded(pid, FAST_STOP_MS)
  }

  /**
   * A start that was refused, since another Parley owns the server, leaves it alone. One that was cut off ends what it
   * launched, which may not have written its pid file yet.
   */
  private async pidToStop(): Promise<number | undefined> {
    if (this.launched && isRunning(this.launched)) return this.launched.pid
    return this.owner ? (await readPostmaster(this.folder))?.pid : undefined
  }

  /** A server that we took over stays a zombie until init looks; its pid file, which it removes last, tells sooner. */
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

interface Postmaster {
  pid: number
  port: number
}

/** PostgreSQL keeps its pid and port in `postmaster.pid`; after a crash the file stays behind. */
async function readPidFile(folder: string): Promise<Postmaster | null> {
  const lines = (await readFile(pidFile(folder), 'utf8').catch(() => '')).split('\n')
  const [pid, port] = [Number(lines[0]), Number(lines[3])]
  return pid > 0 && port > 0 ? { pid, port } : null
}

const pidFile = (folder: string): string => join(folder, 'postmaster.pid')

/** After a power cut, or in a container that starts again, the number in the file may be another process's by now. */
async function readPostmaster(folder: string): Promise<Postmaster | null> {
  const noted = await readPidFile(folder)
  if (!noted || !isProcessAlive(noted.pid)) return null
  const isServer = (await isPostgres(noted.pid)) ?? (await isListenedTo(noted.port))
  return isServer ? noted : null
}

/** By its command, whatever folder that names: there are many ways to one. Null where there is no /proc to look at. */
async function isPostgres(pid: number): Promise<boolean | null> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => null)
  return command === null ? null : basename(command.split('\0')[0] ?? '') === 'postgres'
}

async function isListenedTo(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1')
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy())
}

/**
 * PostgreSQL starts over a stale file of its own, but not if the number is that of any other process of its account. Only what
 * is certainly no server counts: with the file of one that runs goes what keeps a second one from the same data.
 */
async function removeStrangersPid(folder: string): Promise<void> {
  const noted = await readPidFile(folder)
  if (noted && isProcessAlive(noted.pid) && (await isPostgres(noted.pid)) === false)
    await rm(pidFile(folder), { force: true })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
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
