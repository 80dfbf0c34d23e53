import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { migrate } from '../../database/migrate.ts'
import { createLog } from '../../platform/log.ts'
import { PostgresNode } from './postgres-node.ts'

const MIGRATIONS = join(import.meta.dirname, '../../database/migrations')

/** The ways in which the primary fails before the standby is promoted. */
export const FAILURES = ['primary killed', 'primary frozen', 'primary cut off'] as const
export type Failure = (typeof FAILURES)[number]

/** How long a primary that came back gets to accept writes, if anything lets it. */
const COMEBACK_MS = 1_500

/** A PostgreSQL primary with one standby. The methods do what a failover manager such as Patroni does. */
export class ReplicatedCluster {
  readonly password: string
  primary: PostgresNode
  standby: PostgresNode
  readonly #isSynchronous: boolean
  readonly #hosts: string

  private constructor(password: string, nodes: [PostgresNode, PostgresNode], isSynchronous: boolean) {
    this.password = password
    ;[this.primary, this.standby] = nodes
    this.#hosts = nodes.map(({ proxies }) => `127.0.0.1:${proxies.clients.port}`).join(',')
    this.#isSynchronous = isSynchronous
  }

  static async start(folder: string, isSynchronous: boolean): Promise<ReplicatedCluster> {
    const password = randomBytes(16).toString('hex')
    const create = (name: string) => PostgresNode.create(name, join(folder, name), password)
    const [first, second] = await Promise.all([create('first'), create('second')])
    await first.start()
    await first.query('create database parley', [], 'postgres')
    const log = createLog('silent')
    await migrate({ url: first.urlOf('parley'), schema: 'parley', folder: MIGRATIONS, log })
    await first.query('create table failover_probe (at timestamptz not null default clock_timestamp())')
    const cluster = new ReplicatedCluster(password, [first, second], isSynchronous)
    await cluster.rebuildStandby()
    return cluster
  }

  /** Lists both servers. */
  get url(): string {
    return `postgres://parley:${this.password}@${this.#hosts}/parley?target_session_attrs=read-write`
  }

  /** On the current primary, past the proxy. */
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]> {
    return this.primary.query<R>(text, values)
  }

  /** The primary fails; after `noticeMs` the standby is promoted. The old primary is the standby of this object from then on. */
  async failOver(failure: Failure, noticeMs: number): Promise<void> {
    const { primary, standby } = this
    if (failure === 'primary killed') await primary.kill()
    else if (failure === 'primary frozen') primary.signal('SIGSTOP')
    else primary.cutOff(true)
    await pause(noticeMs)
    await standby.promote()
    this.primary = standby
    this.standby = primary
  }

  /**
   * The old primary comes back as if nothing had happened, until the failover manager stops it. Returns the writes that it
   * confirmed: with a synchronous standby it must not confirm any, because its standby is gone.
   */
  async comeBack(failure: Failure): Promise<string[]> {
    const old = this.standby
    if (failure === 'primary killed') return []
    if (failure === 'primary frozen') old.signal('SIGCONT')
    else old.cutOff(false)
    const confirmed = old.write().then(
      () => [`a write on ${old.name}`],
      () => [],
    )
    const result = await Promise.race([confirmed, pause(COMEBACK_MS, [])])
    await old.kill()
    return this.#isSynchronous ? result : []
  }

  async rebuildStandby(): Promise<void> {
    const { primary, standby } = this
    await standby.copyFrom(primary)
    standby.cutOff(false)
    await standby.start()
    if (this.#isSynchronous) await primary.setSynchronous('*')
    await primary.standbyCaughtUp(this.#isSynchronous ? 'sync' : 'async')
  }

  async stop(): Promise<void> {
    await Promise.all([this.primary.remove(), this.standby.remove()])
  }
}
