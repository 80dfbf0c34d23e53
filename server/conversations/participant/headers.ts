import { defineHeaders } from '../../api/openapi/index.ts'

const CHUNK_HEADERS = defineHeaders({
  'X-Recorded-At': {
    description: 'When the recording of this chunk began, in ISO 8601.',
    schema: { type: 'string', format: 'date-time' },
    example: '2026-03-14T09:26:53.589Z',
  },
  'Content-Digest': {
    description: 'Digests of the body (RFC 9530). Every digest is checked against the bytes that arrived.',
    schema: { type: 'string' },
    example: 'sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:',
  },
})

declare module '../../api/openapi/headers.ts' {
  interface AreaHeaders extends Record<keyof typeof CHUNK_HEADERS, true> {}
}
