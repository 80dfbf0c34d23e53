import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { appendFile, mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, DATABASE_USER, launch, openCluster } from '../../server/embedded/cluster.ts'
import { queryOnce } from '../chaos/framework/cluster.ts'
import { startProxy, type TcpProxy } from '../chaos/framework/tcp-proxy.ts'
import { takePort } from '../support/service.ts'

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=300',
  'shared_buffers=64MB',
  'wal_keep_size=1GB',
  // A server that is cut off is noticed within seconds.
  'wal_receiver_timeout=10s',
  'wal_sender_timeout=10s',
  'wal_retrieve_retry_interval=200ms',
]
const DATABASE = 'parley'
/** For a start, and for a standby to catch up. */
const WAIT_LIMIT_MS = 120_000

interface Proxies {
  /** For clients. */
  clients: TcpProxy
  /** For the standby. */
  replication: TcpProxy
}

/** One PostgreSQL server of a replicated cluster. Clients and the standby reach it through proxies. */
export class PostgresNode {
  readonly name: string
  readonly proxies: Proxies
  readonly #folder: string
  readonly #password: string
  readonly #port: number
  readonly #cluster: Cluster
  #postmaster: ChildProcess | null = null

  private constructor(
    name: string,
    folder: string,
    password: string,
    port: number,
    parts: [Cluster, Proxies],
  ) {
    this.name = name
    this.#folder = folder
    this.#password = password
    this.#port = port
    ;[this.#cluster, this.proxies] = parts
  }

  /** Creates an empty server in the folder, and does not start it. */
  static async create(name: string, folder: string, password: string): Promise<PostgresNode> {
    await mkdir(folder, { mode: 0o711 })
    const { port, release } = await takePort()
    await release()
    const cluster = await openCluster(join(folder, 'postgres'), { dataDir: folder, password })
    const startOne = () => startProxy({ host: '127.0.0.1', port })
    const proxies = { clients: await startOne(), replication: await startOne() }
    const node = new PostgresNode(name, folder, password, port, [cluster, proxies])
    process.on('exit', () => node.signal('SIGKILL'))
    return node
  }

  /** Not through the proxy. */
  urlOf(database: string): string {
    return `postgres://${DATABASE_USER}:${this.#password}@127.0.0.1:${this.#port}/${database}`
  }

  async start(): Promise<void> {
    const log = await open(join(this.#folder, 'postgres.log'), 'a')
    const settings = SETTINGS.flatMap((entry) => ['-c', entry])
    const args = ['-D', this.#cluster.folder, '-p', String(this.#port), ...settings]
    this.#postmaster = launch(this.#cluster, this.#cluster.binaries.postgres, args, log.fd)
    await log.close()
    await this.#until(
      'start',
      async () => (await this.query('select 1', [], 'postgres').catch(() => [])).length > 0,
    )
  }

  /** One committed write, with a short statement timeout: it must not confirm a commit that waits for a standby. */
  async write(): Promise<void> {
    await this.query('insert into failover_probe default values', [], DATABASE, ['statement_timeout=500'])
  }

  query<R extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
    database = DATABASE,
    settings: string[] = [],
  ): Promise<R[]> {
    return queryOnce<R>(this.urlOf(database), text, values, { settings, connectLimitMs: 5_000 })
  }

  /** Makes this server a standby: an online copy of the primary, which it then follows. Not started. */
  async copyFrom(primary: PostgresNode): Promise<void> {
    await rm(this.#cluster.folder, { recursive: true, force: true })
    const client = new pg.Client({ connectionString: primary.urlOf('postgres') })
    await client.connect()
    try {
      await client.query("select pg_backup_start('standby', true)")
      const copy = spawn('cp', ['-a', primary.#cluster.folder, this.#cluster.folder], { stdio: 'ignore' })
      // Exit code 1: files that were removed during the copy. Replaying the WAL removes them, too.
      const [code] = await once(copy, 'close')
      if (code > 1) throw new Error(`cp failed with exit code ${code}`)
      const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
      await this.#writeFile('backup_label', rows[0].labelfile)
    } finally {
      await client.end()
    }
    const wal = join(this.#cluster.folder, 'pg_wal')
    for (const entry of await readdir(wal, { withFileTypes: true }))
      if (entry.isFile()) await rm(join(wal, entry.name))
    for (const stale of ['postmaster.pid', 'postmaster.opts'])
      await rm(join(this.#cluster.folder, stale), { force: true })
    await this.#writeFile('standby.signal', '')
    const source = `host=127.0.0.1 port=${primary.proxies.replication.port} user=${DATABASE_USER} password=${this.#password} application_name=${this.name} connect_timeout=10`
    await appendFile(
      join(this.#cluster.folder, 'postgresql.auto.conf'),
      `primary_conninfo = '${source}'\nsynchronous_standby_names = ''\n`,
    )
  }

  async #writeFile(name: string, content: string): Promise<void> {
    const path = join(this.#cluster.folder, name)
    await writeFile(path, content)
    const { account } = this.#cluster
    if (account) await once(spawn('chown', [`${account.uid}:${account.gid}`, path]), 'close')
  }

  /** The standbys whose confirmation a commit waits for: `*` for any, an empty text for none. */
  async setSynchronous(names: '*' | ''): Promise<void> {
    await this.query(`alter system set synchronous_standby_names = '${names}'`)
    await this.query('select pg_reload_conf()')
  }

  /** Resolves when a standby has received everything, and confirms commits if it is synchronous. */
  async standbyCaughtUp(state: 'sync' | 'async'): Promise<void> {
    const isCaughtUp = `select from pg_stat_replication
      where state = 'streaming' and sync_state = '${state}' and pg_wal_lsn_diff(sent_lsn, flush_lsn) < 1_000_000`
    await this.#until('get a standby', async () => (await this.query(isCaughtUp)).length > 0)
  }

  async #until(what: string, holds: () => Promise<boolean>): Promise<void> {
    const deadline = performance.now() + WAIT_LIMIT_MS
    while (!(await holds())) {
      if (performance.now() > deadline || !this.#isRunning)
        throw new Error(`PostgreSQL ${this.name} did not ${what}; see ${this.#folder}/postgres.log`)
      await pause(50)
    }
  }

  get #isRunning(): boolean {
    return (
      this.#postmaster !== null && this.#postmaster.exitCode === null && this.#postmaster.signalCode === null
    )
  }

  async promote(): Promise<void> {
    const [row] = await this.query<{ done: boolean }>('select pg_promote(true, 60) as done', [], 'postgres')
    if (!row?.done) throw new Error(`PostgreSQL ${this.name} was not promoted within 60 s`)
  }

  /** To the postmaster and its backends, which are in sessions of their own. */
  signal(signal: NodeJS.Signals): void {
    const pid = this.#postmaster?.pid
    if (!pid || !this.#isRunning) return
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
    for (const one of [pid, ...children.map(Number)])
      try {
        process.kill(one, signal)
      } catch {
        // It has just ended.
      }
  }

  /** Drops all packets to and from this server, or passes them again. */
  cutOff(isCutOff: boolean): void {
    for (const proxy of Object.values(this.proxies)) proxy.set(isCutOff ? 'black hole' : 'pass')
  }

  /** As after a power failure. */
  async kill(): Promise<void> {
    const postmaster = this.#postmaster
    if (!postmaster || !this.#isRunning) return
    const closed = once(postmaster, 'exit')
    this.signal('SIGKILL')
    await closed
  }

  async remove(): Promise<void> {
    await this.kill()
    await this.proxies.clients.stop()
    await this.proxies.replication.stop()
  }
}
