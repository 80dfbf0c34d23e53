import type { ResponseHead } from './response/head.ts'
import { type ResponseListener, ResponseReader } from './response/reader.ts'
import type { EgressLimits } from './types.ts'

/** RFC 9110 allows any number of interim responses; a usual receiver sends one or two. */
const MAX_INTERIM = 20
/** Beside the body: heads and chunk lines. */
const MAX_FRAME_BYTES = 64 * 1024

export interface PendingRequestListener {
  /** A 2xx head arrived: the request has succeeded, whatever follows. */
  onSuccess(): void
  /** Called once. Null: the whole response arrived. */
  onEnd(code: string | null): void
}

/** One request on one connection: collects its response, within limits. */
export class PendingRequest implements ResponseListener {
  head: ResponseHead | null = null
  readonly sentAt = performance.now()
  firstByteAt: number | null = null
  readonly parts: Buffer[] = []
  /** Of the body, received so far. */
  bytes = 0
  /** Whether the connection can take another request. */
  isReusable = false
  readonly #listener: PendingRequestListener
  readonly #limits: EgressLimits
  readonly #reader = new ResponseReader(this)
  #allBytes = 0
  #interim = 0
  #isOver = false

  constructor(limits: EgressLimits, listener: PendingRequestListener) {
    this.#limits = limits
    this.#listener = listener
  }

  get hasNoResponse(): boolean {
    return this.firstByteAt === null
  }

  read(bytes: Buffer): void {
    this.firstByteAt ??= performance.now()
    this.#allBytes += bytes.length
    this.#reader.read(bytes)
    if (this.#allBytes > this.#limits.maxResponseBytes + MAX_FRAME_BYTES) this.stop('too_many_bytes')
  }

  /** The receiver closed its side. */
  close(): void {
    this.#reader.close()
  }

  /** Ends it early; the listener closes the connection. */
  stop(code: string): void {
    this.#end(code)
  }

  onHead(head: ResponseHead): void {
    if (head.status < 200) this.#countInterim()
    else this.head = head
    if (head.status >= 200 && head.status < 300) this.#listener.onSuccess()
  }

  onBody(part: Buffer): void {
    const room = this.#limits.excerptBytes - this.bytes
    if (room > 0) this.parts.push(Buffer.from(part.subarray(0, room)))
    this.bytes += part.length
    if (this.bytes > this.#limits.maxResponseBytes) this.stop('too_many_bytes')
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
