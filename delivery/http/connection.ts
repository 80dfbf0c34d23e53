import type { Socket } from 'node:net'
import type { Route } from './connect/connect.ts'
import { codeOf } from './connect/failure.ts'
import type { Exchange } from './pending-request.ts'
import { keepAliveMs } from './response/head.ts'
import type { EgressLimits } from './types.ts'

/** A receiver closes an idle connection when it said so, and a request that is on its way then is lost: we close it before. */
const CLOSE_EARLY_MS = 1_000

/** One socket to a receiver: one request after the other, each answered before the next. */
export class Connection {
  readonly group: string
  readonly origin: string
  route: Route
  /** Whether it has carried a request before. */
  isReused = false
  /** Until when it may wait for another request, on the clock of `performance.now()`. */
  goodUntil: number
  readonly #oldAt: number
  readonly #socket: Socket
  readonly #closed: Promise<void>
  #exchange: Exchange | null = null

  constructor(group: string, origin: string, route: Route, socket: Socket, limits: EgressLimits) {
    this.group = group
    this.origin = origin
    this.route = route
    this.#oldAt = performance.now() + limits.connectionAgeMs
    this.goodUntil = this.#oldAt
    this.#socket = socket
    this.#closed = new Promise((resolve) => void socket.once('close', () => resolve()))
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('end', () => this.#exchange?.close())
    socket.on('error', (error) => this.#exchange?.stop(codeOf(error)))
    socket.on('close', () => this.#exchange?.stop('closed'))
  }

  /** A receiver that answered before it read the whole request would leave the next one waiting. */
  get isUsable(): boolean {
    return this.#socket.writable && !this.#socket.readableEnded && this.#socket.writableLength === 0
  }

  send(request: string, exchange: Exchange): void {
    this.#exchange = exchange
    this.#socket.write(request, 'utf8')
  }

  /** Lets go of the last request, whose body would else stay in memory, and of the phases, which were its own. */
  rest(): void {
    const idleMs = keepAliveMs(this.#exchange?.head?.fields ?? [])
    this.#exchange = null
    if (idleMs !== null) this.goodUntil = Math.min(this.#oldAt, performance.now() + idleMs - CLOSE_EARLY_MS)
    if (this.isReused) return
    this.isReused = true
    this.route = { ...this.route, dnsMs: null, connectMs: null, tlsMs: null }
  }

  onceClosed(listener: () => void): void {
    this.#socket.once('close', listener)
  }

  close(): Promise<void> {
    this.#socket.destroy()
    return this.#closed
  }

  #read(bytes: Buffer): void {
    if (this.#exchange) this.#exchange.read(bytes)
    // Nobody asked: it would be taken for the answer to the next request.
    else this.#socket.destroy()
  }
}
