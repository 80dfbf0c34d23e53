interface HeaderKind {
  description: string
  schema: Record<string, unknown>
  example: string | number
  /** Whether requests must send it. */
  required?: true
}

const text = { type: 'string' }
const integer = { type: 'integer', minimum: 0 }

/** Headers that can occur in more than one area, besides those of HTTP itself. */
const GENERAL_HEADERS = {
  'Idempotency-Key': {
    description:
      'A value that you choose, 1 to 255 visible ASCII characters. A repeat with the same key within 24 hours gets the first response and changes nothing. On participant routes at least 16 characters.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '5f0c2a9e-7d1b-4a55-9a41-0d6a4f1f6f2d',
  },
  'If-Match': {
    description:
      'The ETag of the record that you read. The response is 412 if the record has changed since then.',
    schema: text,
    example: '"mZ5kq0h1c2d3e4f5g6h7i8"',
  },
  'If-None-Match': {
    description:
      'ETags that you already have, or `*`. The response is 304 without a body if one of them is current.',
    schema: text,
    example: '"mZ5kq0h1c2d3e4f5g6h7i8"',
  },
  ETag: {
    description: 'Identifies this version of the result, for If-Match and If-None-Match.',
    schema: text,
    example: '"mZ5kq0h1c2d3e4f5g6h7i8"',
  },
  Location: {
    description: 'The path of the record that was created.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/api/v2/projects/019a8c3e-7c1d-7b3a-9f52-3f1c6d2e8a40',
  },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: integer, example: 2 },
  'RateLimit-Limit': {
    description: 'Requests allowed per minute by the limit that is closest to being used up.',
    schema: integer,
    example: 3000,
  },
  'RateLimit-Remaining': { description: 'Requests left of that limit.', schema: integer, example: 2999 },
  'RateLimit-Reset': {
    description: 'Seconds until all requests of that limit are available again.',
    schema: integer,
    example: 1,
  },
  'X-Request-Id': {
    description:
      'Identifies the request in the log. The value that you sent in this header, otherwise a generated one.',
    schema: text,
    example: '0b9f2f3c-6d0e-4b0e-8f62-7f9f0a6f3b1d',
  },
  Range: {
    description: 'The range of bytes to return; only one range is supported.',
    schema: { type: 'string', pattern: '^bytes=' },
    example: 'bytes=0-65535',
  },
  'If-Range': {
    description:
      'The ETag that Range refers to. If the file has changed, the response contains the whole file.',
    schema: text,
    example: '"1-48213"',
  },
  'Accept-Ranges': { description: 'The response supports byte ranges.', schema: text, example: 'bytes' },
  'Content-Range': {
    description: 'The range of bytes in this response, and the size of the file.',
    schema: text,
    example: 'bytes 0-65535/482130',
  },
  'Content-Disposition': {
    description: 'A name for the file, on responses that are files.',
    schema: text,
    example: 'attachment; filename="Conversation.txt"',
  },
  'Last-Event-ID': {
    description: 'The id of the last event that you received. The stream continues after it.',
    schema: text,
    example: '7412:019a8c3e-7c1d-7b3a-9f52-3f1c6d2e8a40',
  },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: text, example: 'Bearer' },
} satisfies Record<string, HeaderKind>

/** Headers of one area, declared like `AreaProblems`. @public */
// biome-ignore lint/suspicious/noEmptyInterface: areas extend it.
export interface AreaHeaders {}

export type HeaderName = keyof typeof GENERAL_HEADERS | keyof AreaHeaders

const kinds = new Map<string, HeaderKind>(Object.entries(GENERAL_HEADERS))

/** Adds the headers of an area to the reference. */
export function defineHeaders<H extends Record<string, HeaderKind>>(headers: H): H {
  for (const [name, kind] of Object.entries(headers)) kinds.set(name, kind)
  return headers
}

export const allHeaders = (): [name: string, kind: HeaderKind][] => [...kinds]

/** Headers of every response, and of those that count against a rate limit. */
export const ALWAYS: HeaderName[] = ['X-Request-Id']
export const RATE_LIMIT: HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
