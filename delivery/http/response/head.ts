export interface ResponseHead {
  status: number
  /** Alternating names (in lower case) and values, in the order received. */
  fields: string[]
  framing: Framing
  /** Whether the connection can take another request after the body. */
  keepsAlive: boolean
}

/** How a body ends: after a number of bytes, with its last chunk, or with the connection. */
type Framing = number | 'chunked' | 'until_close'

// No control characters except the tab: parsers disagree about a lone CR or LF, which enables response smuggling. No space before
// the colon or at the beginning of a line, for the same reason.
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?(?:\r\n|$)/
const FIELD = /^[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e\x80-\xff]*$/
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/
const LENGTH = /^\d{1,15}$/

/** Null: invalid, or ambiguous between parsers (RFC 9112, sections 2 to 6). */
export function parseResponseHead(text: string): ResponseHead | null {
  const line = STATUS_LINE.exec(text)
  if (line === null) return null
  const status = Number(line[2])
  const fields = parseFields(text, line[0].length)
  const framing = fields && framingOf(status, fields)
  if (fields === null || framing === null) return null
  const keepsAlive = line[1] === '1' && framing !== 'until_close' && !saysClose(fields)
  return { status, fields, framing, keepsAlive }
}

function parseFields(text: string, from: number): string[] | null {
  const fields: string[] = []
  for (let at = from; at < text.length; ) {
    const found = text.indexOf('\r\n', at)
    const end = found < 0 ? text.length : found
    const line = text.slice(at, end)
    if (!FIELD.test(line)) return null
    fields.push(nameOf(line), trimmed(line.slice(line.indexOf(':') + 1)))
    at = end + 2
  }
  return fields
}

const nameOf = (line: string): string => line.slice(0, line.indexOf(':')).toLowerCase()

/** Spaces only: parsers disagree about tabs and other white space, so a length next to one is invalid. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && text[start] === ' ') start++
  while (end > start && text[end - 1] === ' ') end--
  return text.slice(start, end)
}

function framingOf(status: number, fields: string[]): Framing | null {
  let length: string | null = null
  let coding: string | null = null
  for (let i = 0; i < fields.length; i += 2) {
    const value = fields[i + 1] as string
    if (fields[i] === 'content-length') {
      if (length !== null || !LENGTH.test(value)) return null
      length = value
    } else if (fields[i] === 'transfer-encoding') {
      const codings = tokensOf(value)
      if (!codings.every((each) => TOKEN.test(each))) return null
      coding = codings.at(-1) ?? null
    }
  }
  if (length !== null && coding !== null) return null
  if (status < 200 || status === 204 || status === 304) return 0
  if (length !== null) return Number(length)
  return coding === 'chunked' ? 'chunked' : 'until_close'
}

function saysClose(fields: string[]): boolean {
  for (let i = 0; i < fields.length; i += 2)
    if (fields[i] === 'connection' && tokensOf(withSpaces(fields[i + 1] as string)).includes('close'))
      return true
  return false
}

/** Here an ambiguous tab does no harm. */
const withSpaces = (value: string): string => value.replaceAll('\t', ' ')

/** The elements of a list header, in lower case. */
const tokensOf = (value: string): string[] => value.split(',').map((token) => trimmed(token).toLowerCase())

export function firstValue(fields: string[], name: string): string | undefined {
  for (let i = 0; i < fields.length; i += 2) if (fields[i] === name) return fields[i + 1]
  return undefined
}

/** The receiver's keep-alive timeout. */
export function keepAliveMs(fields: string[]): number | null {
  const value = firstValue(fields, 'keep-alive')
  const seconds = value === undefined ? undefined : /(?:^|[\s,])timeout\s*=\s*(\d{1,6})/i.exec(value)?.[1]
  return seconds === undefined ? null : Number(seconds) * 1000
}

/** Trailers must not contain the length of the body. */
export const isTrailer = (line: string): boolean =>
  FIELD.test(line) && !['content-length', 'transfer-encoding'].includes(nameOf(line))
