import type { AnswerHead } from './response/head.ts'
import { type AnswerListener, AnswerReader } from './response/reader.ts'
import type { EgressLimits } from './types.ts'

/** RFC 9110 allows any number of interim answers; an honest receiver sends one or two. */
const MAX_INTERIM = 20
/** Beside the body: heads, and what stands between chunks. */
const MAX_FRAME_BYTES = 64 * 1024

export interface ExchangeListener {
  /** A 2xx head is there: nothing can turn it into a failure. */
  onSuccess(): void
  /** Called once. Without a code the whole answer came. */
  onEnd(code: string | null): void
}

/** One request and its answer on one connection: collects what comes, within bounds. */
export class Exchange implements AnswerListener {
  /** Of the answer, once it is there. */
  head: AnswerHead | null = null
  readonly sentAt = performance.now()
  /** When the first byte of the answer came. */
  answeredAt: number | null = null
  readonly parts: Buffer[] = []
  /** Of the body, as far as it came. */
  bytes = 0
  /** Whether the connection is good for another request. */
  isReusable = false
  readonly #listener: ExchangeListener
  readonly #limits: EgressLimits
  readonly #reader = new AnswerReader(this)
  #allBytes = 0
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

  read(bytes: Buffer): void {
    this.answeredAt ??= performance.now()
    this.#allBytes += bytes.length
    this.#reader.read(bytes)
    if (this.#allBytes > this.#limits.answerBytes + MAX_FRAME_BYTES) this.stop('too_many_bytes')
  }

  /** The receiver closed its side. */
  close(): void {
    this.#reader.close()
  }

  /** Ends it before its time; the listener cuts the connection. */
  stop(code: string): void {
    this.#end(code)
  }

  onHead(head: AnswerHead): void {
    if (head.status < 200) this.#countInterim()
    else this.head = head
    if (head.status >= 200 && head.status < 300) this.#listener.onSuccess()
  }

  onBody(part: Buffer): void {
    const room = this.#limits.excerptBytes - this.bytes
    if (room > 0) this.parts.push(Buffer.from(part.subarray(0, room)))
    this.bytes += part.length
    if (this.bytes > this.#limits.answerBytes) this.stop('too_many_bytes')
  }

  onWhole(isReusable: boolean): void {
    this.isReusable = isReusable
    this.#end(null)
  }

  onBroken(code: string): void {
    this.#end(code)
  }

  #countInterim(): void {
    this.#interim++
    if (this.#interim > MAX_INTERIM) this.stop('interim')
  }

  #end(code: string | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#reader.stop()
    this.#listener.onEnd(code)
  }
}
