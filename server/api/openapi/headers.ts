import type { ProblemCode } from '../problems.ts'

interface HeaderKind {
  description: string
  schema: Record<string, unknown>
  example: string | number
  /** Where it stands in requests, whether it must. */
  required?: true
}

const text = { type: 'string' }
const integer = { type: 'integer', minimum: 0 }
const time = { type: 'string', format: 'date-time' }

/** Every header that requests and responses carry beside those of HTTP itself. Written once; the document refers to it. */
export const HEADERS = {
  'Idempotency-Key': {
    description:
      'A value that you choose, 1 to 255 visible ASCII characters. A repeat with the same key within 24 hours gets the first response and changes nothing. On participant routes at least 16 characters.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '5f0c2a9e-7d1b-4a55-9a41-0d6a4f1f6f2d',
  },
  'If-Match': {
    description:
      'The ETag of the record that you read. The response is 412 when the record has changed since.',
    schema: text,
    example: '"mZ5kq0h1c2d3e4f5g6h7i8"',
  },
  'If-None-Match': {
    description:
      'ETags that you already have, or `*`. The response is 304 without a body when one still holds.',
    schema: text,
    example: '"mZ5kq0h1c2d3e4f5g6h7i8"',
  },
  ETag: {
    description: 'Identifies this state of the result, for If-Match and If-None-Match.',
    schema: text,
    example: '"mZ5kq0h1c2d3e4f5g6h7i8"',
  },
  Location: {
    description: 'The path of the record that was created.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/api/v2/projects/019a8c3e-7c1d-7b3a-9f52-3f1c6d2e8a40',
  },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: integer, example: 2 },
  'RateLimit-Limit': {
    description: 'Requests allowed per minute by the limit that is closest to being used up.',
    schema: integer,
    example: 3000,
  },
  'RateLimit-Remaining': {
    description: 'Requests left of that limit.',
    schema: integer,
    example: 2999,
  },
  'RateLimit-Reset': {
    description: 'Seconds until the whole limit is available again.',
    schema: integer,
    example: 1,
  },
  'X-Request-Id': {
    description: 'Identifies the request in the log: yours, if you sent this header, or a new one.',
    schema: text,
    example: '0b9f2f3c-6d0e-4b0e-8f62-7f9f0a6f3b1d',
  },
  Range: {
    description: 'The bytes to send, one range.',
    schema: { type: 'string', pattern: '^bytes=' },
    example: 'bytes=0-65535',
  },
  'If-Range': {
    description: 'The ETag that Range refers to. The whole file is sent when it has changed.',
    schema: text,
    example: '"1-48213"',
  },
  'Accept-Ranges': { description: 'Ranges of bytes can be requested.', schema: text, example: 'bytes' },
  'Content-Range': {
    description: 'Which bytes these are, and how many there are in all.',
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
  'X-Recorded-At': {
    description: 'When the recording of this chunk began, in ISO 8601.',
    schema: time,
    example: '2026-03-14T09:26:53.589Z',
  },
  'Content-Digest': {
    description: 'Digests of the body (RFC 9530). Every digest is checked against the bytes that arrived.',
    schema: text,
    example: 'sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:',
  },
  'Tus-Resumable': {
    description: 'The version of the tus protocol.',
    schema: { type: 'string', const: '1.0.0' },
    example: '1.0.0',
    required: true,
  },
  'Upload-Length': {
    description: 'The size of the whole file in bytes; at most 2 GiB.',
    schema: integer,
    example: 482130,
  },
  'Upload-Defer-Length': {
    description: '`1`, instead of Upload-Length, while the size is not known.',
    schema: { type: 'string', const: '1' },
    example: '1',
  },
  'Upload-Metadata': {
    description:
      'Comma-separated pairs of a name and its base64 value: `started_at`; of host uploads also `title`, `participant_name`, `language`, and `tags` as a JSON array.',
    schema: text,
    example: 'started_at MjAyNi0wMy0xNFQwOToyNjo1M1o=',
  },
  'Upload-Offset': { description: 'How many bytes have arrived.', schema: integer, example: 65536 },
  'Upload-Expires': {
    description: 'When an unfinished upload is deleted.',
    schema: text,
    example: 'Sun, 15 Mar 2026 09:26:53 GMT',
  },
  'X-Conversation-Id': {
    description: 'The conversation that the file belongs to, once all of its bytes have arrived.',
    schema: { type: 'string', format: 'uuid' },
    example: '019a8c3e-7c1d-7b3a-9f52-3f1c6d2e8a40',
  },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: text, example: 'Bearer' },
} as const satisfies Record<string, HeaderKind>

export type HeaderName = keyof typeof HEADERS

export const headerKind = (name: HeaderName): HeaderKind => HEADERS[name]

/** Headers of every response, and of those that count against a rate limit. */
export const ALWAYS: HeaderName[] = ['X-Request-Id']
export const RATE_LIMIT: HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

/** Headers that come with an error. */
export const PROBLEM_HEADERS: Partial<Record<ProblemCode, HeaderName[]>> = {
  unauthenticated: ['WWW-Authenticate'],
  range_not_satisfiable: ['Content-Range', 'Accept-Ranges'],
  rate_limited: ['Retry-After'],
  identity_unavailable: ['Retry-After'],
  not_ready: ['Retry-After'],
  not_ready_yet: ['Retry-After'],
  storage_full: ['Retry-After'],
}
