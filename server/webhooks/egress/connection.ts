import type { Socket } from 'node:net'
import { Client } from 'undici'
import type { Route } from './connect.ts'
import type { Exchange } from './exchange.ts'
import type { EgressLimits } from './types.ts'

/** Of the answer's head, which undici limits too, and of the frame around the body. */
const OVERHEAD_BYTES = 64 * 1024

/** One socket with an undici client of its own, so that it is known which socket carries a request. */
export class Connection {
  readonly group: string
  readonly origin: string
  route: Route
  readonly bornAt = performance.now()
  /** Whether it has carried a request before. */
  isReused = false
  readonly #socket: Socket
  readonly #client: Client
  readonly #maxBytes: number
  #exchange: Exchange | null = null
  #bytesBefore = 0

  constructor(group: string, origin: string, route: Route, socket: Socket, limits: EgressLimits) {
    this.group = group
    this.origin = origin
    this.route = route
    this.#socket = socket
    this.#maxBytes = limits.answerBytes + OVERHEAD_BYTES
    this.#client = createClient(origin, socket, limits)
    socket.on('readable', () => this.#watchBytes())
  }

  /** A receiver that answered before it read the whole request would leave the next one waiting. */
  get isUsable(): boolean {
    return !this.#socket.destroyed && this.#socket.writableLength === 0
  }

  /** Lets go of the last request, whose body would else stay in memory, and of the phases, which were its own. */
  rest(): void {
    this.#exchange = null
    if (this.isReused) return
    this.isReused = true
    this.route = { ...this.route, dnsMs: null, connectMs: null, tlsMs: null }
  }

  send(path: string, headers: string[], body: Buffer, exchange: Exchange): void {
    this.#exchange = exchange
    this.#bytesBefore = this.#socket.bytesRead
    this.#client.dispatch({ method: 'POST', path, headers, body }, exchange)
  }

  onceClosed(listener: () => void): void {
    this.#socket.once('close', listener)
  }

  close(): Promise<void> {
    return this.#client.destroy()
  }

  /** What neither undici nor the count of body bytes limits: a status line, or a chunk's extension, without an end. */
  #watchBytes(): void {
    if (this.#socket.bytesRead - this.#bytesBefore > this.#maxBytes) this.#exchange?.stop('too_many_bytes')
  }
}

/** Hands over the socket that is already there. Undici asks again when it has closed: then there is none. */
function createClient(origin: string, socket: Socket, limits: EgressLimits): Client {
  let isTaken = false
  return new Client(origin, {
    pipelining: 1,
    allowH2: false,
    useMilo: false,
    // The sweep over everything under way keeps the time.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Closes it when it is idle for so long, or for as long as the receiver says.
    keepAliveTimeout: limits.connectionAgeMs,
    keepAliveMaxTimeout: limits.connectionAgeMs,
    maxHeaderSize: 16 * 1024,
    connect: (_options, callback) => {
      const answer = isTaken ? () => callback(closed(), null) : () => callback(null, socket)
      isTaken = true
      // Undici does not expect the answer within its call.
      queueMicrotask(answer)
    },
  })
}

const closed = (): Error => Object.assign(new Error('closed'), { code: 'EGRESS_CLOSED' })
