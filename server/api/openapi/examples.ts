import type { JsonSchema } from './json-schema.ts'

const ID = '019a8c3e-7c1d-7b3a-9f52-3f1c6d2e8a40'
const TIME = '2026-03-14T09:26:53.589Z'

/**
 * Values for the fields of examples, by name: the same small story everywhere. A field that is not here gets a value by its
 * type; a schema that needs another example has it in its own `.meta({ examples })`.
 */
const FIELDS: Record<string, unknown[]> = {
  name: ['A park for all'],
  title: ['What people told us'],
  description: ['Tell us how you use the park.'],
  finish_text: ['Thank you. You can close this page.'],
  consent_text: ['I agree that this recording is transcribed.'],
  privacy_url: ['https://example.com/privacy'],
  organisation: ['City of Delft'],
  accent_color: ['#0b57d0'],
  fill: ['#0b57d0'],
  logo_url: [`/api/participant/projects/${ID}/logo?v=q3Yd0nVgT2m5r8uXw1z4A7`],
  recording_url: [`https://parley.example.com/p/${ID}`],
  short_url: ['https://parley.example.com/s/k7qm2xrd'],
  email: ['ada@example.com'],
  participant_name: ['Grace'],
  participant_email: ['grace@example.com'],
  user_id: ['6f1f4a43-2a2f-4a0b-9f0e-7a1f5b1d9c11'],
  actor_id: ['6f1f4a43-2a2f-4a0b-9f0e-7a1f5b1d9c11'],
  invited_by: ['6f1f4a43-2a2f-4a0b-9f0e-7a1f5b1d9c11'],
  language: ['en'],
  languages: [['en', 'nl']],
  tags: [['north']],
  hotwords: [['Delft']],
  tag: ['north'],
  q: ['benches'],
  url: ['https://example.com/hooks'],
  withdraw_url: [`https://parley.example.com/p/${ID}/withdraw?conversation=${ID}#token`],
  reason: ['A trial for the city'],
  content: ['More benches near the water, please.'],
  text: ['More benches near the water, please.'],
  transcript_so_far: ['More benches near the water, please.'],
  instructions: ['What do people want to keep?'],
  token: ['q3Yd0nVgT2m5r8uXw1z4A7c0F3i6L9o2'],
  sha256: ['44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
  text_sha256: ['44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
  body_hash: ['44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
  model: ['gpt-4o-mini'],
  failure: [null],
  action: ['workspace.tier_set'],
  target_kind: ['workspace'],
  capabilities: [['project:read', 'conversation:read']],
  request_id: ['0b9f2f3c-6d0e-4b0e-8f62-7f9f0a6f3b1d'],
  secret: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  address: ['203.0.113.7'],
  next_cursor: [null],
  cursor: ['MDE5YThjM2UtN2MxZC03YjNhLTlmNTItM2YxYzZkMmU4YTQw'],
  limit: [50],
  tail: [500],
  types: ['conversation.summarized,report.generated'],
  missing: [[], 0],
  received: [[[0, 41]]],
  seq: [0],
  chunks: [42],
  bytes: [48213],
  chunk_seconds: [5],
  max_chunk_bytes: [26214400],
  status_code: [200],
  last_status: [200],
  duration_ms: [84],
  duration_seconds: [1260.5],
  missing_seconds: [5],
  progress: [1],
}

const FORMATS: Record<string, string> = {
  uuid: ID,
  'date-time': TIME,
  uri: 'https://example.com/',
  'uri-reference': '/api',
  email: 'ada@example.com',
}

/** Examples of files by media type. Audio and images have no readable example. */
export const FILES: Record<string, string> = {
  'text/plain': 'Title: What people told us\n\n[00:00] More benches near the water, please.\n',
  'text/markdown': '# What people told us\n\nMore benches near the water, please.\n',
  'text/html': '<!doctype html><title>What people told us</title>',
  'text/vtt': 'WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nMore benches near the water, please.\n',
  'application/x-subrip': '1\n00:00:00,000 --> 00:00:02,500\nMore benches near the water, please.\n',
  'image/svg+xml': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 37 37"></svg>',
  'text/event-stream': `id: 7412:${ID}\nevent: conversation.started\ndata: {"id":"${ID}"}\n\n`,
}

type Resolve = (schema: JsonSchema) => JsonSchema

/** A value that fits the schema: its own example, the one of its field, or else one by its type. */
export function exampleOf(schema: JsonSchema, resolve: Resolve, field = ''): unknown {
  const full = resolve(schema)
  const given = schema.examples ?? full.examples
  if (given) return given[0]
  const known = (FIELDS[field] ?? []).find((value) => fits(full, value, resolve))
  return known === undefined ? byType(full, resolve, field) : known
}

function byType(schema: JsonSchema, resolve: Resolve, field: string): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice = (schema.anyOf ?? schema.oneOf)?.find((one) => one.type !== 'null')
  if (choice) return exampleOf(choice, resolve, field)
  switch ([schema.type].flat().find((type) => type !== 'null')) {
    case 'object':
      return objectOf(schema, resolve)
    case 'array':
      return schema.prefixItems
        ? schema.prefixItems.map((item) => exampleOf(item, resolve))
        : [exampleOf(schema.items ?? {}, resolve, singular(field))]
    case 'string':
      return FORMATS[schema.format ?? ''] ?? 'text'
    case 'integer':
    case 'number':
      return schema['minimum'] === undefined ? 1 : Math.max(1, Number(schema['minimum']))
    case 'boolean':
      return true
    default:
      return null
  }
}

const objectOf = ({ properties = {} }: JsonSchema, resolve: Resolve): unknown =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, exampleOf(property, resolve, name)]),
  )

const singular = (field: string): string => field.replace(/s$/, '')

/** Roughly: whether a value for a field of this name can be meant here. A test checks every example in full. */
function fits(schema: JsonSchema, value: unknown, resolve: Resolve): boolean {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.some((choice) => fits(resolve(choice), value, resolve))
  if (schema.const !== undefined || schema.enum) return false
  if (schema.format === 'uuid' || schema.format === 'date-time') return false
  const types = [schema.type].flat()
  return types.includes(typeOf(value)) || (types.includes('number') && typeof value === 'number')
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
