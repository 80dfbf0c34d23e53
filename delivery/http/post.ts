import { setTimeout as pause } from 'node:timers/promises'
import { type Connector, connect, newRoute, type Route } from './connect/connect.ts'
import { codeOf, EgressFailure } from './connect/failure.ts'
import { isOutOfFiles } from './connect/open-files.ts'
import { Connection } from './connection.ts'
import type { Deadline, Deadlines } from './deadlines.ts'
import { PendingRequest, type PendingRequestListener } from './pending-request.ts'
import type { Pool } from './pool.ts'
import { requestText } from './request.ts'
import { toResult } from './response/result.ts'
import type { Target, Targets } from './targets.ts'
import type { Turn } from './turn.ts'
import type { EgressError, EgressRequest, EgressResult } from './types.ts'

export interface PostContext {
  connector: Connector
  pool: Pool
  deadlines: Deadlines<Post>
  targets: Targets
  turn: Turn<Post>
}

const OUT_OF_FILES_PAUSE_MS = 100
const DROPPED_WHEN_OUT_OF_FILES = 16

interface OutgoingRequest {
  target: Target
  text: string
}

/** Null when it was aborted, or this machine could not open a socket. */
export type OnResult = (result: EgressResult | null) => void

/** One POST from its URL to its result, on at most two connections. */
export class Post implements Deadline, PendingRequestListener {
  due: number
  index = -1
  readonly #context: PostContext
  readonly #group: string
  readonly #resolve: OnResult
  #beganAt = performance.now()
  #outgoing: OutgoingRequest | null = null
  #connecting: AbortController | null = null
  #route: Route | null = null
  #connection: Connection | null = null
  #pending: PendingRequest | null = null
  #endedAt: number | null = null
  #isDone = false
  /** This machine can't open another socket, which must not count as a failure of the receiver. */
  #isOutOfFiles = false

  constructor(context: PostContext, group: string, resolve: OnResult) {
    this.#context = context
    this.#group = group
    this.#resolve = resolve
    this.due = this.#beganAt + context.connector.limits.totalMs
  }

  begin(request: EgressRequest): void {
    const { deadlines, targets } = this.#context
    deadlines.add(this)
    const target = targets.of(request.url)
    const text = target && requestText(target.head, request)
    if (target === null) this.#end('refused_address', 'url')
    else if (text === null) this.#end('connect', 'header')
    else this.#go({ target, text })
  }

  #go(outgoing: OutgoingRequest): void {
    const { pool } = this.#context
    const connection = pool.take(this.#group, outgoing.target.origin)
    this.#outgoing = outgoing
    if (connection) this.#send(connection, outgoing.text)
    else if (pool.isWorthWaiting(this.#group)) void this.#waitAndSend(outgoing)
    else void this.#connectAndSend(outgoing)
  }

  async #waitAndSend(outgoing: OutgoingRequest): Promise<void> {
    const { pool, connector } = this.#context
    const connection = await pool.takeLater(this.#group, outgoing.target.origin)
    if (this.#isDone) {
      if (connection) pool.release(connection)
      return
    }
    // The receiver has its full time, and is not measured by the wait.
    this.#beganAt = performance.now()
    this.due = this.#beganAt + connector.limits.totalMs
    if (connection) this.#send(connection, outgoing.text)
    else void this.#connectAndSend(outgoing)
  }

  /** The deadline, or the end of the grace period after a 2xx head. */
  expire(): void {
    if (this.#isOutOfFiles) this.#finish(null)
    else this.#endWithStatusOr('timeout', 'limit')
    this.#disconnect()
  }

  /** Ends without a result. */
  abort(): void {
    this.#finish(null)
    this.#disconnect()
  }

  onSuccess(): void {
    this.due = Math.min(this.due, performance.now() + this.#context.connector.limits.graceMs)
  }

  onEnd(code: string | null): void {
    if (this.#isDone) return
    this.#endedAt = performance.now()
    if (this.#pending?.isReusable) {
      this.#connection?.becomeIdle()
      this.#context.turn.end(this)
    } else this.#endUnusable(code)
  }

  /** Bytes after the response would have been read by now, and would have closed the connection. */
  endTurn(): void {
    if (this.#isDone) return
    if (this.#connection) this.#context.pool.release(this.#connection)
    this.#endWithStatusOr('connect', null)
  }

  /** The response is broken, or whole on a connection that can't be reused. */
  #endUnusable(code: string | null): void {
    const again = this.#canRetry() ? this.#outgoing : null
    this.#disconnect()
    if (again) void this.#connectAndSend(again)
    else this.#endWithStatusOr('connect', code)
  }

  /** The receiver closed a keep-alive connection before it read the request. A new connection is never tried twice. */
  #canRetry(): boolean {
    return this.#connection?.isReused === true && this.#pending?.hasNoResponse === true
  }

  async #connectAndSend({ target, text }: OutgoingRequest): Promise<void> {
    const connecting = new AbortController()
    const route = newRoute()
    this.#connecting = connecting
    this.#route = route
    this.#connection = null
    this.#pending = null
    this.#endedAt = null
    try {
      const connection = await this.#open(target, route, connecting.signal)
      if (connection) this.#send(connection, text)
    } catch (error) {
      if (error instanceof EgressFailure) this.#end(error.error, error.detail)
      else this.#end('connect', codeOf(error))
    }
  }

  /** Without a free file, closes idle connections and retries until the deadline. Null if the request has ended. */
  async #open({ url, origin }: Target, route: Route, signal: AbortSignal): Promise<Connection | null> {
    const { connector, pool } = this.#context
    for (;;) {
      const endOpening = pool.beginOpening(this.#group)
      try {
        const socket = await connect(connector, url, route, signal)
        this.#isOutOfFiles = false
        if (this.#isDone) {
          socket.destroy()
          return null
        }
        const connection = new Connection(this.#group, origin, route, socket, connector.limits)
        pool.add(connection)
        return connection
      } catch (error) {
        if (!(error instanceof EgressFailure && isOutOfFiles(error.detail))) throw error
        this.#isOutOfFiles = true
        pool.dropIdle(DROPPED_WHEN_OUT_OF_FILES)
      } finally {
        endOpening()
      }
      await pause(OUT_OF_FILES_PAUSE_MS)
      signal.throwIfAborted()
    }
  }

  #send(connection: Connection, text: string): void {
    const pending = new PendingRequest(this.#context.connector.limits, this)
    this.#connection = connection
    this.#route = connection.route
    this.#pending = pending
    connection.send(text, pending)
  }

  #disconnect(): void {
    this.#connecting?.abort()
    if (this.#connection) this.#context.pool.drop(this.#connection)
  }

  /** If a response head has arrived, it is the result, regardless of how the request ended. */
  #endWithStatusOr(error: EgressError, detail: string | null): void {
    const status = this.#pending?.head?.status ?? null
    if (status === null) this.#end(error, detail)
    else this.#end(status < 300 ? null : 'status', detail)
  }

  #end(error: EgressError | null, detail: string | null): void {
    this.#finish(
      toResult({
        error,
        detail,
        route: this.#route,
        pending: this.#pending,
        beganAt: this.#beganAt,
        endedAt: this.#endedAt ?? performance.now(),
        excerptBytes: this.#context.connector.limits.excerptBytes,
      }),
    )
  }

  #finish(result: EgressResult | null): void {
    if (this.#isDone) return
    this.#isDone = true
    this.#context.deadlines.delete(this)
    this.#resolve(result)
  }
}
