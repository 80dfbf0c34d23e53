import { firstOf } from './head.ts'

/** What helps to find a fault at the receiver and carries no secret of it, such as a cookie. */
const SAFE_HEADERS = new Set([
  'allow',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'location',
  'request-id',
  'retry-after',
  'server',
  'via',
  'x-correlation-id',
  'x-request-id',
])
const MAX_VALUE = 256

/** The answer's headers that may be stored and shown. */
export function safeHeaders(fields: string[]): Record<string, string> {
  const safe: Record<string, string> = {}
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string
    if (!SAFE_HEADERS.has(name)) continue
    const value = fields[i + 1] as string
    safe[name] = safeValue(name in safe ? `${safe[name]}, ${value}` : value)
  }
  return safe
}

/** The first one counts where there are several. */
export function firstRetryAfter(fields: string[]): string | null {
  const value = firstOf(fields, 'retry-after')
  return value === undefined ? null : safeValue(value)
}

/** They were read as Latin-1, so that there are no surrogates to split. */
const safeValue = (value: string): string => value.replace(/\p{Cc}/gu, '').slice(0, MAX_VALUE)

/**
 * Control characters beside newline and tab, and those that reorder or break a line: PostgreSQL refuses NUL, a terminal
 * obeys ESC, and a reader believes what the eye sees.
 */
const UNSAFE = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** The beginning of a body as text: never inflated, invalid UTF-8 replaced, unsafe characters written out like `\u0000`. */
export function excerpt(parts: Buffer[], isWhole: boolean): string {
  const [first] = parts
  if (first === undefined) return ''
  const bytes = parts.length === 1 ? first : Buffer.concat(parts)
  const text = (isWhole ? bytes : wholeCharacters(bytes)).toString('utf8')
  return text.replace(UNSAFE, writtenOut)
}

const writtenOut = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Leaves out a last character that the cut went through. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    const isContinuation = (byte & 0xc0) === 0x80
    if (isContinuation) continue
    return back < characterLength(byte) ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

function characterLength(lead: number): number {
  if (lead >= 0xf0) return 4
  if (lead >= 0xe0) return 3
  return lead >= 0xc0 ? 2 : 1
}
