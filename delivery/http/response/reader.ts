import { isTrailer, parseResponseHead, type ResponseHead } from './head.ts'

export interface ResponseListener {
  /** Also for each interim response (1xx). */
  onHead(head: ResponseHead): void
  /** The buffer is reused: copy what you keep. */
  onBody(part: Buffer): void
  /** The response is complete. Exactly one of this and `onInvalid` is called. */
  onComplete(isReusable: boolean): void
  /** The response is invalid or incomplete. */
  onInvalid(code: string): void
}

const MAX_HEAD_BYTES = 16 * 1024
/** The length of a chunk with its extensions, or a trailer. */
const MAX_LINE_BYTES = 4 * 1024
const SWITCHING_PROTOCOLS = 101
const BEGINNING = Buffer.from('HTTP/1.')
const END_OF_HEAD = Buffer.from('\r\n\r\n')
const END_OF_LINE = Buffer.from('\r\n')
const [CR, LF] = [13, 10]
/** The length of a chunk; extensions are ignored. */
const CHUNK_LINE = /^([0-9a-f]{1,8})(?:;[!#$%&'*+.^_`|~\w-]+(?:=(?:[!#$%&'*+.^_`|~\w-]+|"[ !#-[\]-~]*"))?)*$/i

/** The expected next part. */
type State = 'head' | 'sized' | 'until_close' | 'chunk_line' | 'chunk' | 'chunk_end' | 'trailer' | 'over'

/** Parses the response to one request, HTTP/1.1 or 1.0, from pieces of any size. */
export class ResponseReader {
  readonly #listener: ResponseListener
  #state: State = 'head'
  /** The bytes so far of a head or line whose end has not arrived. */
  #incomplete: Buffer | null = null
  /** Bytes of the body or chunk that have not arrived. */
  #left = 0
  #keepsAlive = false

  constructor(listener: ResponseListener) {
    this.#listener = listener
  }

  /** Keeps a copy of what it needs later, so the caller can reuse the buffer. */
  read(bytes: Buffer): void {
    const input = this.#incomplete === null ? bytes : Buffer.concat([this.#incomplete, bytes])
    this.#incomplete = null
    let at = 0
    while (at < input.length && this.#state !== 'over') at = this.#take(input, at)
  }

  /** The receiver will send no more bytes. */
  onReceiverClosed(): void {
    if (this.#state === 'until_close') this.#complete(false)
    else this.#reject('closed')
  }

  /** Ignores all further bytes. */
  stop(): void {
    this.#state = 'over'
  }

  /** @returns the position in the input after the part that was read */
  #take(input: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#takeHead(input, at)
      case 'chunk_line':
      case 'chunk_end':
      case 'trailer':
        return this.#takeLine(input, at)
      default:
        return this.#takeBody(input, at)
    }
  }

  #takeHead(input: Buffer, from: number): number {
    let at = from
    // Some servers send an extra empty line after the previous response.
    while (input[at] === CR && input[at + 1] === LF) at += 2
    const end = input.indexOf(END_OF_HEAD, at)
    if (!startsWithHttp(input, at)) return this.#reject('no_http')
    if (end < 0 && endsLinesWithLf(input, at)) return this.#reject('no_http')
    if (end < 0) return this.#awaitRest(input, at, MAX_HEAD_BYTES, 'head_too_long')
    if (end - at > MAX_HEAD_BYTES) return this.#reject('head_too_long')
    const head = parseResponseHead(input.toString('latin1', at, end))
    if (head === null) return this.#reject('no_http')
    // No final response can follow an interim one that closes the connection or switches protocols.
    if (head.status === SWITCHING_PROTOCOLS || (head.status < 200 && !head.keepsAlive))
      return this.#reject('interim')
    const next = end + END_OF_HEAD.length
    this.#listener.onHead(head)
    if (head.status >= 200 && this.#state === 'head') this.#beginBody(head, next === input.length)
    return next
  }

  #beginBody({ framing, keepsAlive }: ResponseHead, isAllRead: boolean): void {
    this.#keepsAlive = keepsAlive
    if (framing === 0) this.#complete(isAllRead)
    else if (framing === 'chunked') this.#state = 'chunk_line'
    else if (framing === 'until_close') this.#state = 'until_close'
    else {
      this.#state = 'sized'
      this.#left = framing
    }
  }

  #takeBody(input: Buffer, at: number): number {
    const rest = input.length - at
    const length = this.#state === 'until_close' ? rest : Math.min(rest, this.#left)
    const end = at + length
    this.#left -= length
    this.#listener.onBody(input.subarray(at, end))
    if (this.#left > 0 || this.#state === 'until_close') return end
    if (this.#state === 'chunk') this.#state = 'chunk_end'
    else if (this.#state === 'sized') this.#complete(end === input.length)
    return end
  }

  #takeLine(input: Buffer, at: number): number {
    const end = input.indexOf(END_OF_LINE, at)
    if (end < 0) return this.#awaitRest(input, at, MAX_LINE_BYTES, 'line_too_long')
    if (end - at > MAX_LINE_BYTES) return this.#reject('line_too_long')
    const next = end + END_OF_LINE.length
    const line = input.toString('latin1', at, end)
    if (this.#state === 'chunk_line') this.#beginChunk(line)
    else if (this.#state === 'chunk_end') this.#endChunk(line)
    else this.#takeTrailer(line, next === input.length)
    return next
  }

  #beginChunk(line: string): void {
    const [, length] = CHUNK_LINE.exec(line) ?? []
    if (length === undefined) return void this.#reject('bad_chunk')
    this.#left = Number.parseInt(length, 16)
    this.#state = this.#left === 0 ? 'trailer' : 'chunk'
  }

  #endChunk(line: string): void {
    if (line === '') this.#state = 'chunk_line'
    else this.#reject('bad_chunk')
  }

  #takeTrailer(line: string, isAllRead: boolean): void {
    if (line === '') this.#complete(isAllRead)
    else if (!isTrailer(line)) this.#reject('bad_trailer')
  }

  #awaitRest(input: Buffer, at: number, limit: number, code: string): number {
    if (input.length - at > limit) return this.#reject(code)
    this.#incomplete = Buffer.from(input.subarray(at))
    return input.length
  }

  #complete(isAllRead: boolean): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#listener.onComplete(this.#keepsAlive && isAllRead)
  }

  #reject(code: string): number {
    if (this.#state === 'over') return 0
    this.#state = 'over'
    this.#listener.onInvalid(code)
    return 0
  }
}

/** The end of such a head would never be found. */
function endsLinesWithLf(input: Buffer, at: number): boolean {
  const end = input.indexOf(LF, at)
  return end > at && input[end - 1] !== CR
}

/** Detects another protocol early, since it may never send the end of a head. */
function startsWithHttp(input: Buffer, at: number): boolean {
  if (input[at] === CR && at + 1 === input.length) return true
  const length = Math.min(BEGINNING.length, input.length - at)
  return BEGINNING.compare(input, at, at + length, 0, length) === 0
}
