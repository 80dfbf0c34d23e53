import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Connector, connect, newRoute, type Route } from './connect/connect.ts'
import { Connection } from './connection.ts'
import type { Watch, Watched } from './deadlines.ts'
import { codeOf, EgressFailure } from './connect/failure.ts'
import { isOutOfFiles } from './connect/open-files.ts'
import { Exchange, type ExchangeListener } from './pending-request.ts'
import type { Pool } from './pool.ts'
import { requestText } from './request.ts'
import { toResult } from './response/result.ts'
import type { Target, Targets } from './targets.ts'
import type { Turn } from './turn.ts'
import type { EgressError, EgressRequest, EgressResult } from './types.ts'

export interface PostContext {
  connector: Connector
  pool: Pool
  watch: Watch<Post>
  targets: Targets
  turn: Turn<Post>
}

const OUT_OF_FILES_PAUSE_MS = 100
const DROPPED_WHEN_OUT_OF_FILES = 16

/** Where it goes, and the request's bytes. */
interface Errand {
  target: Target
  text: string
}

/** Null when it was cut off, or this machine had no file left for its socket. */
export type Settle = (result: EgressResult | null) => void

/** One POST from its URL to its result: a connection, the exchange on it, and at most one more of both. */
export class Post implements Watched, ExchangeListener {
  due: number
  place = -1
  readonly #context: PostContext
  readonly #group: string
  readonly #settle: Settle
  readonly #beganAt = performance.now()
  #errand: Errand | null = null
  #connecting: AbortController | null = null
  #route: Route | null = null
  #connection: Connection | null = null
  #exchange: Exchange | null = null
  #endedAt: number | null = null
  #isDone = false
  /** No file is left for a socket: a failure of this machine, which must not count as one of the receiver. */
  #isOutOfFiles = false

  constructor(context: PostContext, group: string, settle: Settle) {
    this.#context = context
    this.#group = group
    this.#settle = settle
    this.due = this.#beganAt + context.connector.limits.totalMs
  }

  begin(request: EgressRequest): void {
    const { watch, targets } = this.#context
    watch.add(this)
    const target = targets.of(request.url)
    const text = target && requestText(target, request)
    if (target === null) this.#end('refused_address', 'url')
    else if (text === null) this.#end('connect', 'header')
    else this.#go({ target, text })
  }

  #go(errand: Errand): void {
    const connection = this.#context.pool.take(this.#group, errand.target.origin)
    this.#errand = errand
    if (connection) this.#send(connection, errand.text)
    else void this.#connectAndSend(errand)
  }

  /** The deadline, or the end of the grace after a 2xx head. */
  expire(): void {
    if (this.#isOutOfFiles) this.#finish(null)
    else this.#answeredOr('timeout', 'limit')
    this.#cut()
  }

  /** Without a result: the egress closes. */
  abandon(): void {
    this.#finish(null)
    this.#cut()
  }

  onSuccess(): void {
    this.due = Math.min(this.due, performance.now() + this.#context.connector.limits.graceMs)
  }

  onEnd(code: string | null): void {
    if (this.#isDone) return
    this.#endedAt = performance.now()
    if (this.#exchange?.isReusable) {
      this.#connection?.rest()
      this.#context.turn.end(this)
    } else this.#endBroken(code)
  }

  /** What came along with the answer was seen by now: nobody had asked for it, and it has closed the connection. */
  endTurn(): void {
    if (this.#isDone) return
    if (this.#connection) this.#context.pool.release(this.#connection)
    this.#answeredOr('connect', null)
  }

  /** Or whole, on a connection that takes no other request. */
  #endBroken(code: string | null): void {
    const again = this.#mayTryAgain() ? this.#errand : null
    this.#cut()
    if (again) void this.#connectAndSend(again)
    else this.#answeredOr('connect', code)
  }

  /** The receiver had closed a kept-alive connection when the request reached it. A fresh one is never tried twice. */
  #mayTryAgain(): boolean {
    return this.#connection?.isReused === true && this.#exchange?.isUntouched === true
  }

  async #connectAndSend({ target, text }: Errand): Promise<void> {
    const { connector, pool } = this.#context
    const connecting = new AbortController()
    const route = newRoute()
    this.#connecting = connecting
    this.#route = route
    this.#connection = null
    this.#exchange = null
    this.#endedAt = null
    try {
      const socket = await this.#open(target.url, route, connecting.signal)
      if (this.#isDone) return void socket.destroy()
      const connection = new Connection(this.#group, target.origin, route, socket, connector.limits)
      pool.add(connection)
      this.#send(connection, text)
    } catch (error) {
      if (error instanceof EgressFailure) this.#end(error.error, error.detail)
      else this.#end('connect', codeOf(error))
    }
  }

  /** Out of files, idle connections are closed and it is tried again until the deadline. */
  async #open(url: URL, route: Route, signal: AbortSignal): Promise<Socket> {
    const { connector, pool } = this.#context
    for (;;) {
      pool.beginOpening()
      try {
        const socket = await connect(connector, url, route, signal)
        this.#isOutOfFiles = false
        return socket
      } catch (error) {
        if (!(error instanceof EgressFailure && isOutOfFiles(error.detail))) throw error
        this.#isOutOfFiles = true
        pool.dropIdle(DROPPED_WHEN_OUT_OF_FILES)
      } finally {
        pool.endOpening()
      }
      await pause(OUT_OF_FILES_PAUSE_MS)
      signal.throwIfAborted()
    }
  }

  #send(connection: Connection, text: string): void {
    const exchange = new Exchange(this.#context.connector.limits, this)
    this.#connection = connection
    this.#route = connection.route
    this.#exchange = exchange
    connection.send(text, exchange)
  }

  #cut(): void {
    this.#connecting?.abort()
    if (this.#connection) this.#context.pool.drop(this.#connection)
  }

  /** Whatever ended it: a head that arrived is the result. */
  #answeredOr(error: EgressError, detail: string | null): void {
    const status = this.#exchange?.head?.status ?? null
    if (status === null) this.#end(error, detail)
    else this.#end(status < 300 ? null : 'status', detail)
  }

  #end(error: EgressError | null, detail: string | null): void {
    this.#finish(
      toResult({
        error,
        detail,
        route: this.#route,
        exchange: this.#exchange,
        beganAt: this.#beganAt,
        endedAt: this.#endedAt ?? performance.now(),
        excerptBytes: this.#context.connector.limits.excerptBytes,
      }),
    )
  }

  #finish(result: EgressResult | null): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#context.watch.delete(this)
    this.#settle(result)
  }
}
