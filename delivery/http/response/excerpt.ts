import { firstValue } from './head.ts'

/** Headers that help to debug a receiver and carry no secrets, unlike cookies. */
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

export function firstRetryAfter(fields: string[]): string | null {
  const value = firstValue(fields, 'retry-after')
  return value === undefined ? null : safeValue(value)
}

/** Headers are read as Latin-1, so there are no surrogates to split. */
const safeValue = (value: string): string => value.replace(/\p{Cc}/gu, '').slice(0, MAX_VALUE)

/** Except newline and tab: PostgreSQL refuses NUL, a terminal interprets ESC, bidirectional controls mislead a reader. */
const UNSAFE = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** The beginning of a body as text: never decompressed, invalid UTF-8 replaced, unsafe characters escaped like `\u0000`. */
export function excerpt(parts: Buffer[], isWhole: boolean): string {
  const [first] = parts
  if (first === undefined) return ''
  const bytes = parts.length === 1 ? first : Buffer.concat(parts)
  const text = (isWhole ? bytes : wholeCharacters(bytes)).toString('utf8')
  return text.replace(UNSAFE, escaped)
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Without a last character that is incomplete. */
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
