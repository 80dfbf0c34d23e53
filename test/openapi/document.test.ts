import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { seedTenant } from '../access/fixtures.ts'
import { pathOf } from '../access/requests.ts'
import { backend, staff } from '../access/service.ts'
import {
  contractOf,
  type MediaType,
  type OpenApiDocument,
  type Operation,
  type Response,
} from '../support/openapi.ts'

const document: OpenApiDocument = (await staff.send('GET', '/api/openapi.json')).body
const contract = contractOf(document)

const operationNamed = (id: string): Operation => {
  const found = contract.operations.find(({ operation }) => operation.operationId === id)
  assert.ok(found, `missing operation ${id}`)
  return found
}
const responseOf = (id: string, status: number): Response =>
  contract.resolve<Response>(operationNamed(id).operation.responses[status] as Response)
const requestHeadersOf = (id: string): string[] =>
  operationNamed(id)
    .parameters.filter((parameter) => parameter.in === 'header')
    .map(({ name }) => name)

test('the validator of seriousme accepts the document', async () => {
  const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
  assert.deepEqual([valid, errors ?? []], [true, []])
})

const RULES = `
  struct no-unresolved-refs no-invalid-media-type-examples no-invalid-schema-examples
  no-invalid-parameter-examples operation-operationId operation-operationId-unique
  operation-operationId-url-safe operation-parameters-unique operation-2xx-response operation-summary
  path-parameters-defined no-identical-paths no-path-trailing-slash no-unused-components security-defined
  spec-components-invalid-map-name tag-description operation-tag-defined`
  .trim()
  .split(/\s+/)

test('the linter of Redocly accepts the document, its examples, references and security', async () => {
  const config = await createConfig({ rules: Object.fromEntries(RULES.map((rule) => [rule, 'error'])) })
  const problems = await lintFromString({ source: JSON.stringify(document), config })
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    [],
  )
})

/** Every body that the document describes, with its path in the document. */
function* mediaTypes(): Generator<{ name: string; at: string[]; type: string; media: MediaType }> {
  for (const { method, path, operation } of contract.operations) {
    const { operationId, requestBody, responses } = operation
    const base = ['paths', path, method.toLowerCase()]
    for (const [type, media] of Object.entries(requestBody?.content ?? {}))
      yield { name: `request of ${operationId}`, at: [...base, 'requestBody', 'content', type], type, media }
    for (const [status, declared] of Object.entries(responses)) {
      const at = '$ref' in declared ? declared.$ref.slice(2).split('/') : [...base, 'responses', status]
      for (const [type, media] of Object.entries(contract.resolve<Response>(declared).content ?? {}))
        yield { name: `${status} of ${operationId}`, at: [...at, 'content', type], type, media }
    }
  }
}

test('every text request and response has an example, and each example fits its schema', () => {
  const wrong: string[] = []
  for (const { name, at, type, media } of mediaTypes()) {
    if (/^(audio\/\*|image\/(png|jpeg)|application\/(zip|pdf|offset\+octet-stream))$/.test(type)) continue
    const examples = [
      ...('example' in media ? [media.example] : []),
      ...Object.values(media.examples ?? {}).map(
        (one) => contract.resolve<{ value: unknown }>(one as never).value,
      ),
    ]
    if (examples.length === 0) wrong.push(`${name} has no example of ${type}`)
    for (const example of examples) {
      const errors = contract.errorsAt([...at, 'schema'], example)
      if (errors) wrong.push(`${name}: ${errors}`)
    }
  }
  for (const { operation, parameters } of contract.operations)
    for (const { name, example } of parameters)
      if (example === undefined) wrong.push(`${operation.operationId} has no example of ${name}`)
  assert.deepEqual(wrong, [])
})

/** Fields whose example refers to a record that must exist. */
const REFERENCES = new Set(['user_id', 'organisation_id', 'conversation_ids', 'url'])

test('the service accepts the example of every JSON request', async () => {
  const wrong: string[] = []
  for (const { method, path, operation } of contract.operations) {
    const body = operation.requestBody?.content['application/json']?.example
    if (body === undefined) continue
    const tenant = await seedTenant(backend)
    const reply = await staff.send(method, pathOf({ name: `${method} ${path}` }, tenant), body)
    const errors: { path: string; message: string }[] =
      reply.status === 422 ? (reply.body.errors ?? [{}]) : []
    for (const error of errors)
      if (!REFERENCES.has(String(error.path).split('.')[0] as string))
        wrong.push(`${operation.operationId}: ${JSON.stringify(error)}`)
  }
  assert.deepEqual(wrong, [])
})

test('a request body is required only where the route needs one, and absent where the route takes none', () => {
  for (const [ids, required] of [
    ['withdrawConversation deleteProject acceptInvitation resendDelivery', undefined],
    [
      'sendHeartbeat finishConversation exportWorkspace testWebhook rotateWebhookSecret createHostUpload',
      false,
    ],
    ['createProject updateProject addText uploadChunk appendParticipantUpload', true],
  ] as const)
    for (const id of ids.split(' ')) {
      const body = operationNamed(id).operation.requestBody
      assert.deepEqual([body !== undefined, body?.required], [required !== undefined, required], id)
    }
})

test('request and response headers are declared', () => {
  assert.ok(requestHeadersOf('createProject').includes('Idempotency-Key'))
  assert.deepEqual(requestHeadersOf('updateProject'), ['If-Match'])
  assert.deepEqual(requestHeadersOf('readProject'), ['If-None-Match'])
  assert.deepEqual(requestHeadersOf('readAudio'), ['If-None-Match', 'Range', 'If-Range'])
  assert.deepEqual(requestHeadersOf('streamConversations'), ['Last-Event-ID'])
  assert.deepEqual(requestHeadersOf('uploadChunk'), ['X-Recorded-At', 'Content-Digest'])
  for (const name of ['Tus-Resumable', 'Upload-Length', 'Upload-Metadata'])
    assert.ok(requestHeadersOf('createParticipantUpload').includes(name), name)
  assert.ok(requestHeadersOf('appendHostUpload').includes('Upload-Offset'))
  const sent = (id: string, status: number) => Object.keys(responseOf(id, status).headers ?? {})
  for (const [id, status, ...names] of [
    ['createProject', 201, 'Location', 'ETag', 'RateLimit-Remaining'],
    ['readProject', 200, 'ETag', 'RateLimit-Limit', 'RateLimit-Reset'],
    ['readProject', 304, 'ETag'],
    ['readProject', 401, 'WWW-Authenticate'],
    ['readProject', 429, 'Retry-After', 'RateLimit-Remaining'],
    ['readProject', 503, 'Retry-After'],
    ['readAudio', 206, 'Content-Range', 'Accept-Ranges'],
    ['readAudio', 409, 'Retry-After'],
    ['readAudio', 416, 'Content-Range'],
    ['readHostUpload', 200, 'Upload-Offset', 'Upload-Length', 'Tus-Resumable'],
    ['appendParticipantUpload', 204, 'Upload-Offset', 'X-Conversation-Id'],
    ['uploadChunk', 201, 'RateLimit-Remaining'],
  ] as const)
    for (const name of names) assert.ok(sent(id, status).includes(name), `${id} ${status} ${name}`)
})

test('every operation declares the credential that it needs', () => {
  const schemesOf = (id: string) => operationNamed(id).operation.security.flatMap(Object.keys)
  for (const id of ['createHostUpload', 'readHostUpload', 'appendHostUpload', 'readProject'])
    assert.deepEqual(schemesOf(id), ['cookie', 'bearer'], id)
  for (const id of ['uploadChunk', 'finishConversation', 'createParticipantUpload', 'readParticipantUpload'])
    assert.deepEqual(schemesOf(id), ['participant'], id)
  for (const id of ['readPortal', 'startConversation', 'readHealth']) assert.deepEqual(schemesOf(id), [], id)
  assert.deepEqual(document.components['securitySchemes']?.['participant'], {
    type: 'apiKey',
    in: 'header',
    name: 'X-Participant-Token',
    description: 'The token that was returned when the conversation started',
  })
})

test('bodies that are not JSON are declared by their type, and JSON transcripts by their shape', () => {
  assert.deepEqual(Object.keys(operationNamed('uploadChunk').operation.requestBody?.content ?? {}), [
    'audio/*',
  ])
  assert.deepEqual(responseOf('readTranscript', 200).content?.['application/json']?.schema, {
    $ref: '#/components/schemas/Transcript',
  })
  const missing = responseOf('finishConversation', 409).content?.['application/problem+json']
  assert.deepEqual(missing?.schema, { $ref: '#/components/schemas/ChunksMissingProblem' })
})

test('operation ids, tags and schemas have the names that generated clients need', () => {
  const tags = new Set(document.tags.map(({ name }) => name))
  for (const { operation } of contract.operations) {
    assert.match(operation.operationId, /^[a-z]+([A-Z][a-z0-9]*)+$/)
    for (const tag of operation.tags) assert.ok(tags.has(tag), tag)
  }
  for (const { name, description } of document.tags) assert.ok(description.length > 10, name)
  for (const name of Object.keys(document.components['schemas'] ?? {}))
    assert.match(name, /^([A-Z][a-z0-9]*)+$/)
  for (const name of ['Project', 'Conversation', 'Webhook', 'Problem', 'ProjectPage', 'CreateProjectRequest'])
    assert.ok(document.components['schemas']?.[name], name)
})

test('no operation declares a generic conflict', () => {
  const generic = contract.operations.filter(({ operation }) =>
    JSON.stringify(operation).includes('Conflict"'),
  )
  assert.deepEqual(
    generic.map(({ operation }) => operation.operationId),
    [],
  )
})
