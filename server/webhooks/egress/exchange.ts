import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { codeOf } from './failure.ts'
import type { EgressLimits } from './types.ts'

/** RFC 9110 allows any number of interim answers; an honest receiver sends one or two. */
const MAX_INTERIM = 20

export interface ExchangeListener {
  /** A 2xx head is there: nothing can turn it into a failure. */
  onSuccess(): void
  /** Called once. Without a code the answer came to its end and the connection is good for another request. */
  onEnd(code: string | null): void
}

/** One request and its answer on one connection: collects what comes, within bounds. */
export class Exchange implements Dispatcher.DispatchHandler {
  status: number | null = null
  headers: IncomingHttpHeaders | null = null
  readonly sentAt = performance.now()
  /** When the first byte of the answer came. */
  answeredAt: number | null = null
  readonly parts: Buffer[] = []
  /** Of the body, as far as it came. */
  bytes = 0
  readonly #listener: ExchangeListener
  readonly #limits: EgressLimits
  #interim = 0
  #isOver = false

  constructor(limits: EgressLimits, listener: ExchangeListener) {
    this.#limits = limits
    this.#listener = listener
  }

  /** Not one byte of an answer came. */
  get isUntouched(): boolean {
    return this.answeredAt === null
  }

  /** Ends it before its time; the listener cuts the connection. */
  stop(code: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#listener.onEnd(code)
  }

  onRequestStart(): void {}

  /** At the first byte, also of garbage. */
  onResponseStarted(): void {
    this.answeredAt ??= performance.now()
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (this.#isOver) return
    if (status < 200) this.#countInterim(status)
    else this.#takeHead(status, headers)
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#isOver) return
    const room = this.#limits.excerptBytes - this.bytes
    if (room > 0) this.parts.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
    this.bytes += chunk.length
    if (this.bytes > this.#limits.answerBytes) this.stop('too_many_bytes')
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#listener.onEnd(null)
  }

  onResponseError(_: unknown, error: Error): void {
    this.stop(codeOf(error))
  }

  #takeHead(status: number, headers: IncomingHttpHeaders): void {
    this.status = status
    this.headers = headers
    if (status < 300) this.#listener.onSuccess()
  }

  #countInterim(status: number): void {
    this.#interim++
    if (status < 100 || this.#interim > MAX_INTERIM) this.stop('interim')
  }
}
