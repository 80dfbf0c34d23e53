import { defineHeaders } from '../api/openapi/index.ts'

const bytes = { type: 'integer', minimum: 0 }
const text = { type: 'string' }

const CONVERSATION_HEADERS = defineHeaders({
  'X-Recorded-At': {
    description: 'When the recording of this chunk began, in ISO 8601.',
    schema: { type: 'string', format: 'date-time' },
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
    schema: bytes,
    example: 482130,
  },
  'Upload-Defer-Length': {
    description: '`1`, instead of Upload-Length, while the size is not known.',
    schema: { type: 'string', const: '1' },
    example: '1',
  },
  'Upload-Metadata': {
    description:
      'Comma-separated pairs of a name and its base64 value: `started_at`; for host uploads also `title`, `participant_name`, `language`, and `tags` as a JSON array.',
    schema: text,
    example: 'started_at MjAyNi0wMy0xNFQwOToyNjo1M1o=',
  },
  'Upload-Offset': { description: 'How many bytes have arrived.', schema: bytes, example: 65536 },
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
})

declare module '../api/openapi/headers.ts' {
  interface AreaHeaders extends Record<keyof typeof CONVERSATION_HEADERS, true> {}
}
