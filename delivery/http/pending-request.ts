import type { ResponseHead } from './response/head.ts'
import { type ResponseListener, ResponseReader } from './response/reader.ts'
import type { EgressLimits } from './types.ts'

/** RFC 9110 allows any number of interim responses; a usual receiver sends one or two. */
const MAX_INTERIM_RESPONSES = 20
/** The limit for everything but the body: heads, chunk lengths and trailers. */
const MAX_FRAMING_BYTES = 64 * 1024

export interface PendingRequestListener {
  /** A 2xx head arrived. The request has succeeded, even if the body never completes. */
  onSuccess(): void
  /** Called once, with null if the response is complete, otherwise with an error code. */
  onEnd(code: string | null): void
}

/** One request on one connection: collects its response, within limits. */
export class PendingRequest implements ResponseListener {
  head: ResponseHead | null = null
  readonly sentAt = performance.now()
  firstByteAt: number | null = null
  /** The beginning of the body, up to `excerptBytes`. */
  readonly bodyParts: Buffer[] = []
  /** Size of the body so far, including bytes that were not kept. */
  bodyBytes = 0
  /** Whether the connection can carry another request. */
  isReusable = false
  readonly #listener: PendingRequestListener
  readonly #limits: EgressLimits
  readonly #reader = new ResponseReader(this)
  #receivedBytes = 0
  #interimCount = 0
  #hasEnded = false

  constructor(limits: EgressLimits, listener: PendingRequestListener) {
    this.#limits = limits
    this.#listener = listener
  }

  get hasNoResponse(): boolean {
    return this.firstByteAt === null
  }

  read(bytes: Buffer): void {
    this.firstByteAt ??= performance.now()
    this.#receivedBytes += bytes.length
    this.#reader.read(bytes)
    if (this.#receivedBytes > this.#limits.maxResponseBytes + MAX_FRAMING_BYTES) this.abort('too_many_bytes')
  }

  /** The receiver will send no more bytes. */
  onReceiverClosed(): void {
    this.#reader.onReceiverClosed()
  }

  /** Ends the request early with this error code; the listener closes the connection. */
  abort(code: string): void {
    this.#end(code)
  }

  onHead(head: ResponseHead): void {
    if (head.status < 200) this.#countInterim()
    else this.head = head
    if (head.status >= 200 && head.status < 300) this.#listener.onSuccess()
  }

  onBody(part: Buffer): void {
    const remaining = this.#limits.excerptBytes - this.bodyBytes
    if (remaining > 0) this.bodyParts.push(Buffer.from(part.subarray(0, remaining)))
    this.bodyBytes += part.length
    if (this.bodyBytes > this.#limits.maxResponseBytes) this.abort('too_many_bytes')
  }

  onComplete(isReusable: boolean): void {
    this.isReusable = isReusable
    this.#end(null)
  }

  onInvalid(code: string): void {
    this.#end(code)
  }

  #countInterim(): void {
    this.#interimCount++
    if (this.#interimCount > MAX_INTERIM_RESPONSES) this.abort('interim')
  }

  #end(code: string | null): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#reader.stop()
    this.#listener.onEnd(code)
  }
}
