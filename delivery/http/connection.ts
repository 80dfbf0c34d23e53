import type { Socket } from 'node:net'
import type { Route } from './connect/connect.ts'
import { codeOf } from './connect/failure.ts'
import type { PendingRequest } from './pending-request.ts'
import { keepAliveMs } from './response/head.ts'
import type { EgressLimits } from './types.ts'

/** A request that is sent just as the receiver closes an idle connection is lost, so we close it before its keep-alive timeout. */
const CLOSE_EARLY_MS = 1_000

/** One socket to a receiver, for one request at a time. */
export class Connection {
  readonly group: string
  readonly origin: string
  route: Route
  /** Whether it has carried a request. */
  isReused = false
  /** The end of its life, by `performance.now()`; earlier when it is idle and has a keep-alive timeout. */
  expiresAt: number
  readonly #maxAgeAt: number
  readonly #socket: Socket
  readonly #closed: Promise<void>
  #pending: PendingRequest | null = null

  constructor(group: string, origin: string, route: Route, socket: Socket, limits: EgressLimits) {
    this.group = group
    this.origin = origin
    this.route = route
    this.#maxAgeAt = performance.now() + limits.connectionAgeMs
    this.expiresAt = this.#maxAgeAt
    this.#socket = socket
    this.#closed = new Promise((resolve) => void socket.once('close', () => resolve()))
    socket.on('data', (bytes: Buffer) => this.#read(bytes))
    socket.on('end', () => this.#pending?.onReceiverClosed())
    socket.on('error', (error) => this.#pending?.abort(codeOf(error)))
    socket.on('close', () => this.#pending?.abort('closed'))
  }

  /** False while a part of the last request is unsent, because the receiver responded early: the next request would wait. */
  get isUsable(): boolean {
    return this.#socket.writable && !this.#socket.readableEnded && this.#socket.writableLength === 0
  }

  send(request: string, pending: PendingRequest): void {
    this.#pending = pending
    this.#socket.write(request, 'utf8')
  }

  /** Releases the last request with its body, and clears the timings of connecting, which belong to the first request. */
  becomeIdle(): void {
    const idleMs = keepAliveMs(this.#pending?.head?.fields ?? [])
    this.#pending = null
    if (idleMs !== null)
      this.expiresAt = Math.min(this.#maxAgeAt, performance.now() + idleMs - CLOSE_EARLY_MS)
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
    if (this.#pending) this.#pending.read(bytes)
    // Unsolicited bytes would be taken for the response to the next request.
    else this.#socket.destroy()
  }
}
