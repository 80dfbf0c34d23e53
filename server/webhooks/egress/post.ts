import { type Connector, connect, newRoute, type Route } from './connect.ts'
import { Connection } from './connection.ts'
import { Exchange, type ExchangeListener } from './exchange.ts'
import { codeOf, EgressFailure } from './failure.ts'
import type { Pool } from './pool.ts'
import { toResult } from './result.ts'
import { parseTargetUrl } from './target-url.ts'
import type { EgressError, EgressRequest, EgressResult } from './types.ts'
import type { Watch, Watched } from './watch.ts'

export interface PostContext {
  connector: Connector
  pool: Pool
  watch: Watch<Post>
  allowHttp: boolean
}

/** Null when it was cut off. */
export type Settle = (result: EgressResult | null) => void

/** One POST from its URL to its result: a connection, the exchange on it, and at most one more of both. */
export class Post implements Watched, ExchangeListener {
  due: number
  readonly #context: PostContext
  readonly #group: string
  readonly #request: EgressRequest
  readonly #settle: Settle
  readonly #beganAt = performance.now()
  #connecting: AbortController | null = null
  #route: Route | null = null
  #connection: Connection | null = null
  #exchange: Exchange | null = null
  #isDone = false

  constructor(context: PostContext, group: string, request: EgressRequest, settle: Settle) {
    this.#context = context
    this.#group = group
    this.#request = request
    this.#settle = settle
    this.due = this.#beganAt + context.connector.limits.totalMs
  }

  begin(): void {
    const { pool, watch, allowHttp } = this.#context
    watch.add(this)
    const target = parseTargetUrl(this.#request.url, { allowHttp })
    const connection = target instanceof URL ? pool.take(this.#group, target.origin) : undefined
    if (!(target instanceof URL)) this.#end('refused_address', 'url')
    else if (connection) this.#send(connection, target)
    else void this.#connectAndSend(target)
  }

  /** The deadline, or the end of the grace after a 2xx head. */
  expire(): void {
    this.#answeredOr('timeout', 'limit')
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
    const mayTryAgain = this.#mayTryAgain()
    if (code === null && this.#connection) this.#context.pool.release(this.#connection)
    else this.#cut()
    if (mayTryAgain) void this.#connectAndSend(new URL(this.#request.url))
    else this.#answeredOr('connect', code)
  }

  /** The receiver had closed a kept-alive connection when the request reached it. A fresh one is never tried twice. */
  #mayTryAgain(): boolean {
    return this.#connection?.isReused === true && this.#exchange?.isUntouched === true
  }

  async #connectAndSend(target: URL): Promise<void> {
    const { connector, pool } = this.#context
    const connecting = new AbortController()
    const route = newRoute()
    this.#connecting = connecting
    this.#route = route
    this.#connection = null
    this.#exchange = null
    try {
      const socket = await connect(connector, target, route, connecting.signal)
      if (this.#isDone) return void socket.destroy()
      const connection = new Connection(this.#group, target.origin, route, socket, connector.limits)
      pool.add(connection)
      this.#send(connection, target)
    } catch (error) {
      if (error instanceof EgressFailure) this.#end(error.error, error.detail)
      else this.#end('connect', codeOf(error))
    }
  }

  #send(connection: Connection, target: URL): void {
    const exchange = new Exchange(this.#context.connector.limits, this)
    this.#connection = connection
    this.#route = connection.route
    this.#exchange = exchange
    connection.send(
      target.pathname + target.search,
      flat(this.#request.headers),
      this.#request.body,
      exchange,
    )
  }

  #cut(): void {
    this.#connecting?.abort()
    if (this.#connection) this.#context.pool.drop(this.#connection)
  }

  /** Whatever ended it: a head that arrived is the result. */
  #answeredOr(error: EgressError, detail: string | null): void {
    const status = this.#exchange?.status ?? null
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

/** The form that undici takes without a copy. What is not asked for encoded need not be decoded. */
function flat(headers: Record<string, string>): string[] {
  const list = ['accept-encoding', 'identity']
  for (const name in headers) list.push(name, headers[name] ?? '')
  return list
}
