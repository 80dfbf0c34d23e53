import { Socket } from 'node:net'
import pg from 'pg'
import { namedStatement } from './prepared-statements.ts'
import { SocketWatchdog } from './socket-watchdog.ts'

export interface DatabaseClient extends pg.Client {
  readonly watchdog: SocketWatchdog
}

/** A `pg.Client` with a watchdog for silent connections, which also names prepared statements. */
export const databaseClient = (silenceLimitMs: number): (new (config?: pg.ClientConfig) => DatabaseClient) =>
  class extends pg.Client {
    readonly watchdog: SocketWatchdog

    constructor(config?: pg.ClientConfig) {
      const socket = new Socket()
      super({ ...config, stream: () => socket })
      this.watchdog = new SocketWatchdog(socket, silenceLimitMs)
      this.once('connect', () => this.watchdog.start())
      this.on('drain', () => {
        this.watchdog.isResponseDue = false
      })
    }

    override query(...args: unknown[]): never {
      this.watchdog.isResponseDue = true
      const [text, values, ...rest] = args
      const named = namedStatement(text, values)
      return super.query(...((named ? [named, ...rest] : args) as [string])) as never
    }

    override end(...args: unknown[]): Promise<void> {
      this.watchdog.isClosing = true
      return super.end(...(args as []))
    }
  }
