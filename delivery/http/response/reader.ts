import { type AnswerHead, isTrailer, parseAnswerHead } from './head.ts'

export interface AnswerListener {
  /** Also for each interim answer (1xx). */
  onHead(head: AnswerHead): void
  /** To be copied, where it is to last. */
  onBody(part: Buffer): void
  /** The whole answer came. Called at most once, as is `onBroken`, and never both. */
  onWhole(isReusable: boolean): void
  /** What came is no answer, or not a whole one. */
  onBroken(code: string): void
}

const MAX_HEAD_BYTES = 16 * 1024
/** The length of a chunk with its extensions, or a trailer. */
const MAX_LINE_BYTES = 4 * 1024
const SWITCHING_PROTOCOLS = 101
const BEGINNING = Buffer.from('HTTP/1.')
const END_OF_HEAD = Buffer.from('\r\n\r\n')
const END_OF_LINE = Buffer.from('\r\n')
const [CR, LF] = [13, 10]
/** The length of a chunk, and extensions, which nobody here reads. */
const CHUNK_LINE = /^([0-9a-f]{1,8})(?:;[!#$%&'*+.^_`|~\w-]+(?:=(?:[!#$%&'*+.^_`|~\w-]+|"[ !#-[\]-~]*"))?)*$/i

/** What the next bytes are. */
type Place = 'head' | 'sized' | 'until_close' | 'chunk_line' | 'chunk' | 'chunk_end' | 'trailer' | 'over'

/** Reads the answer to one request, HTTP/1.1 and 1.0, in whatever pieces it comes. */
export class AnswerReader {
  readonly #listener: AnswerListener
  #place: Place = 'head'
  /** The beginning of a head or line whose end has not come. */
  #begun: Buffer | null = null
  /** Bytes of the body, or of the chunk, that are still to come. */
  #left = 0
  #keepsAlive = false

  constructor(listener: AnswerListener) {
    this.#listener = listener
  }

  /** The bytes are ours until it returns. */
  read(bytes: Buffer): void {
    const input = this.#begun === null ? bytes : Buffer.concat([this.#begun, bytes])
    this.#begun = null
    let at = 0
    while (at < input.length && this.#place !== 'over') at = this.#take(input, at)
  }

  /** The receiver closed its side. */
  close(): void {
    if (this.#place === 'until_close') this.#whole(false)
    else this.#broken('closed')
  }

  /** Nothing that comes counts any more. */
  stop(): void {
    this.#place = 'over'
  }

  /** @returns the place in the input that it came to */
  #take(input: Buffer, at: number): number {
    switch (this.#place) {
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
    // Some send an empty line too many after the answer before.
    while (input[at] === CR && input[at + 1] === LF) at += 2
    const end = input.indexOf(END_OF_HEAD, at)
    if (!begins(input, at)) return this.#broken('no_http')
    if (end < 0 && endsLinesOtherwise(input, at)) return this.#broken('no_http')
    if (end < 0) return this.#awaitRest(input, at, MAX_HEAD_BYTES, 'head_too_long')
    if (end - at > MAX_HEAD_BYTES) return this.#broken('head_too_long')
    const head = parseAnswerHead(input.toString('latin1', at, end))
    if (head === null) return this.#broken('no_http')
    // The answer itself could not follow an interim one that closes, or that changes to another protocol.
    if (head.status === SWITCHING_PROTOCOLS || (head.status < 200 && !head.keepsAlive))
      return this.#broken('interim')
    const next = end + END_OF_HEAD.length
    this.#listener.onHead(head)
    if (head.status >= 200 && this.#place === 'head') this.#beginBody(head, next === input.length)
    return next
  }

  #beginBody({ framing, keepsAlive }: AnswerHead, isAllRead: boolean): void {
    this.#keepsAlive = keepsAlive
    if (framing === 0) this.#whole(isAllRead)
    else if (framing === 'chunked') this.#place = 'chunk_line'
    else if (framing === 'until_close') this.#place = 'until_close'
    else {
      this.#place = 'sized'
      this.#left = framing
    }
  }

  #takeBody(input: Buffer, at: number): number {
    const rest = input.length - at
    const length = this.#place === 'until_close' ? rest : Math.min(rest, this.#left)
    const end = at + length
    this.#left -= length
    this.#listener.onBody(input.subarray(at, end))
    if (this.#left > 0 || this.#place === 'until_close') return end
    if (this.#place === 'chunk') this.#place = 'chunk_end'
    else if (this.#place === 'sized') this.#whole(end === input.length)
    return end
  }

  #takeLine(input: Buffer, at: number): number {
    const end = input.indexOf(END_OF_LINE, at)
    if (end < 0) return this.#awaitRest(input, at, MAX_LINE_BYTES, 'line_too_long')
    if (end - at > MAX_LINE_BYTES) return this.#broken('line_too_long')
    const next = end + END_OF_LINE.length
    const line = input.toString('latin1', at, end)
    if (this.#place === 'chunk_line') this.#beginChunk(line)
    else if (this.#place === 'chunk_end') this.#endChunk(line)
    else this.#takeTrailer(line, next === input.length)
    return next
  }

  #beginChunk(line: string): void {
    const [, length] = CHUNK_LINE.exec(line) ?? []
    if (length === undefined) return void this.#broken('bad_chunk')
    this.#left = Number.parseInt(length, 16)
    this.#place = this.#left === 0 ? 'trailer' : 'chunk'
  }

  #endChunk(line: string): void {
    if (line === '') this.#place = 'chunk_line'
    else this.#broken('bad_chunk')
  }

  #takeTrailer(line: string, isAllRead: boolean): void {
    if (line === '') this.#whole(isAllRead)
    else if (!isTrailer(line)) this.#broken('bad_trailer')
  }

  #awaitRest(input: Buffer, at: number, limit: number, code: string): number {
    if (input.length - at > limit) return this.#broken(code)
    this.#begun = Buffer.from(input.subarray(at))
    return input.length
  }

  #whole(isAllRead: boolean): void {
    if (this.#place === 'over') return
    this.#place = 'over'
    this.#listener.onWhole(this.#keepsAlive && isAllRead)
  }

  /** Further bytes are not looked at. */
  #broken(code: string): number {
    if (this.#place === 'over') return 0
    this.#place = 'over'
    this.#listener.onBroken(code)
    return 0
  }
}

/** By a line feed alone: the end of such a head would be waited for in vain. */
function endsLinesOtherwise(input: Buffer, at: number): boolean {
  const end = input.indexOf(LF, at)
  return end > at && input[end - 1] !== CR
}

/** Whoever speaks another protocol may never send what would end a head. */
function begins(input: Buffer, at: number): boolean {
  if (input[at] === CR && at + 1 === input.length) return true
  const length = Math.min(BEGINNING.length, input.length - at)
  return BEGINNING.compare(input, at, at + length, 0, length) === 0
}
