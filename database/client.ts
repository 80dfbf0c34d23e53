import { Socket } from 'node:net'
import { callbackify } from 'node:util'
import pg from 'pg'
import { namedStatement } from './prepared-statements.ts'
import { monitorOf, type PrimaryMonitor } from './primary-monitor.ts'
import { SocketWatchdog } from './socket-watchdog.ts'

export interface DatabaseClient extends pg.Client {
  readonly watchdog: SocketWatchdog
}

const READ_ONLY = '25006'
const CONNECT_LIMIT_MS = 5_000

/**
 * A `pg.Client` with a watchdog for silent connections, which also names prepared statements. With a URL that lists several
 * hosts, it connects to the primary. `isPooled`: through a pooler, which can run each transaction on another connection of
 * PostgreSQL, where a statement with that name might not exist.
 */
export const databaseClient = (
  idleTimeoutMs: number,
  isPooled = false,
): (new (
  config?: pg.ClientConfig,
) => DatabaseClient) =>
  class extends pg.Client {
    readonly watchdog: SocketWatchdog
    readonly #socket: Socket
    readonly #monitor: PrimaryMonitor | null
    readonly #connectLimitMs: number

    constructor(config: pg.ClientConfig = {}) {
      const socket = new Socket()
      const monitor = monitorOf(config.connectionString)
      // node-postgres cannot read a list of hosts.
      const first = monitor && { connectionString: monitor.firstUrl }
      super({ ...config, ...first, stream: () => socket })
      this.#socket = socket
      this.#monitor = monitor
      this.#connectLimitMs = config.connectionTimeoutMillis ?? CONNECT_LIMIT_MS
      this.watchdog = new SocketWatchdog(socket, idleTimeoutMs)
      this.once('connect', () => this.watchdog.start())
      this.on('drain', () => {
        this.watchdog.isResponseDue = false
      })
      this.connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
        // The server became a standby, or is not promoted yet: the next connection can lead to another server.
        if (code === READ_ONLY) queueMicrotask(() => socket.destroy())
      })
    }

    override connect(...args: unknown[]): never {
      const monitor = this.#monitor
      if (!monitor) return super.connect(...(args as [])) as never
      const [callback] = args as [((error: Error) => void)?]
      const connect = () => this.#connectToPrimary(monitor)
      return (callback ? callbackify(connect)(callback) : connect()) as never
    }

    async #connectToPrimary(monitor: PrimaryMonitor): Promise<void> {
      const host = await monitor.find(this.#connectLimitMs)
      // The pool gave up, or the client was closed.
      if (this.#socket.destroyed || this.watchdog.isClosing) throw new Error('Connection terminated')
      this.host = host.name
      this.port = host.port
      monitor.track(this.#socket, host)
      await super.connect()
    }

    override query(...args: unknown[]): never {
      this.watchdog.isResponseDue = true
      const [text, values, ...rest] = args
      const named = isPooled ? null : namedStatement(text, values)
      return super.query(...((named ? [named, ...rest] : args) as [string])) as never
    }

    override end(...args: unknown[]): Promise<void> {
      this.watchdog.isClosing = true
      return super.end(...(args as []))
    }
  }
