import type { OpenAPIV3_1 } from 'openapi-types'
import { z } from 'zod'
import { allProblems, Problem, type ProblemCode, problemBody, problemKind } from '../problems.ts'
import { ProblemSchema } from '../schema.ts'
import { exampleOf, FILES } from './examples.ts'
import { ALWAYS, allHeaders, type HeaderName, RATE_LIMIT } from './headers.ts'
import { type BuiltSchemas, createSchemaSet, type JsonSchema, type SchemaSet } from './json-schema.ts'
import { byMediaType, isRawBody, type Operation, type ResponseBody, takesNothing } from './operation.ts'
import { TAGS } from './tags.ts'

export interface DocumentOptions {
  version: string
  publicUrl: string
  cookieName: string
  /** The requests that receivers of webhooks get, by event type. */
  webhooks: Record<string, unknown>
}

/** The OpenAPI document of these operations. */
export function buildDocument(operations: Operation[], options: DocumentOptions): OpenAPIV3_1.Document {
  const schemas = collect(operations).build()
  for (const { body } of operations)
    if (body instanceof z.ZodType && !takesNothing(body))
      describeDefaults(schemas.resolve(schemas.refTo('input', unwrapped(body))))
  const errors = createSharedResponses()
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version: options.version,
      description:
        'Records spoken conversations, transcribes and summarises them, generates reports, and notifies other systems through webhooks.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.publicUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: pathsOf(operations, { ...schemas, errors }),
    webhooks: options.webhooks,
    components: {
      schemas: schemas.components,
      responses: errors.components,
      headers: headerComponents(),
      parameters: parameterComponents(),
      examples: problemExamples(),
      securitySchemes: securitySchemes(options.cookieName),
    },
  }
  return withoutUnused(document) as unknown as OpenAPIV3_1.Document
}

const securitySchemes = (cookieName: string) => ({
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: cookieName,
    description: 'The session cookie that the identity store sets at login',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token or a static token of the identity store',
  },
  participant: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Participant-Token',
    description: 'The token that was returned when the conversation started',
  },
})

const SECURITY = { user: [{ cookie: [] }, { bearer: [] }], participant: [{ participant: [] }], none: [] }

/** Every schema of every operation, so that each becomes a component. Those without a name are named after their operation. */
function collect(operations: Operation[]): SchemaSet {
  const set = createSchemaSet()
  set.add('output', ProblemSchema, 'Problem')
  for (const [, { schema }] of allProblems()) if (schema) set.add('output', schema, 'Problem')
  for (const { id, query, body, responses } of operations) {
    const name = `${id.charAt(0).toUpperCase()}${id.slice(1)}`
    if (query) set.add('input', query, `${name}Query`)
    if (body instanceof z.ZodType && !takesNothing(body)) set.add('input', unwrapped(body), `${name}Request`)
    for (const response of Object.values(responses)) {
      const json = byMediaType(response)['application/json']
      if (json) set.add('output', json, `${name}Response`)
    }
  }
  return set
}

/** The schema of an optional body without the option to omit it. */
function unwrapped(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? unwrapped(schema.unwrap() as z.ZodType)
    : schema
}

/** Describes defaults in words: generators make a field with a `default` required. */
function describeDefaults(schema: JsonSchema): void {
  for (const property of Object.values(schema.properties ?? {})) {
    if (property.default === undefined) continue
    const value = `Default: \`${JSON.stringify(property.default)}\``
    property['description'] = [property['description'], value].filter(Boolean).join('. ')
    delete property.default
  }
}

function pathsOf(operations: Operation[], schemas: Parts) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const path = operation.url.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, schemas) }
  }
  return paths
}

function describe(operation: Operation, schemas: Parts) {
  const { id, summary, description, tag, security } = operation
  const parameters = [
    ...pathParameters(operation.url),
    ...queryParameters(operation, schemas),
    ...operation.requestHeaders.map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ]
  const requestBody = requestBodyOf(operation, schemas)
  return {
    operationId: id,
    summary,
    ...(description ? { description } : {}),
    tags: [tag],
    security: SECURITY[security],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: responsesOf(operation, schemas),
  }
}

/** An id that is not a UUID gets the same 404 as an unknown one; user ids are the identity store's. */
const pathParameters = (url: string) =>
  [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const schema: JsonSchema = PATH_SCHEMAS[name] ?? { type: 'string', format: 'uuid' }
    return { name, in: 'path', required: true, schema, example: exampleOf(schema, same, name) }
  })
const same = (schema: JsonSchema): JsonSchema => schema
const PATH_SCHEMAS: Record<string, JsonSchema> = {
  user_id: { type: 'string' },
  seq: { type: 'integer', minimum: 0, maximum: 99_999 },
}

function queryParameters({ query }: Operation, schemas: BuiltSchemas) {
  if (!query) return []
  const { properties = {}, required = [] } = schemas.resolve(schemas.refTo('input', query))
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema,
    example: exampleOf(schema, schemas.resolve, name),
  }))
}

function requestBodyOf({ body }: Operation, schemas: BuiltSchemas) {
  if (body === undefined || takesNothing(body)) return null
  if (isRawBody(body)) {
    const bytes = { schema: { type: 'string', format: 'binary' } }
    return {
      description: body.description,
      required: body.required,
      content: Object.fromEntries(body.mediaTypes.map((type) => [type, bytes])),
    }
  }
  return {
    required: !body.safeParse(undefined).success,
    content: { 'application/json': jsonContent(schemas.refTo('input', unwrapped(body)), schemas) },
  }
}

const jsonContent = (schema: JsonSchema, schemas: BuiltSchemas) => ({
  schema,
  example: exampleOf(schema, schemas.resolve),
})

function responsesOf(operation: Operation, schemas: Parts) {
  const { responses, responseHeaders, security } = operation
  const common = security === 'none' && !operation.url.includes(':') ? ALWAYS : [...ALWAYS, ...RATE_LIMIT]
  const good = Object.entries(responses).map(([status, body]) => [
    status,
    {
      description: DESCRIPTIONS[status] ?? 'Success',
      headers: headerRefs([...common, ...(responseHeaders[Number(status)] ?? [])]),
      ...(body === null ? {} : { content: contentOf(body, schemas) }),
    },
  ])
  return { ...Object.fromEntries(good), ...errorsOf(operation, common, schemas) }
}

const DESCRIPTIONS: Record<string, string> = {
  200: 'Success',
  201: 'Created',
  202: 'Accepted: the work continues in the background',
  204: 'Success, without a body',
  206: 'The requested range',
  304: 'Not modified: an ETag in If-None-Match is current',
}

const contentOf = (body: ResponseBody, schemas: BuiltSchemas) =>
  Object.fromEntries(
    Object.entries(byMediaType(body)).map(([type, schema]) => [type, fileOrJson(type, schema, schemas)]),
  )

function fileOrJson(type: string, schema: z.ZodType, schemas: BuiltSchemas) {
  if (type === 'application/json') return jsonContent(schemas.refTo('output', schema), schemas)
  const example = FILES[type]
  if (example !== undefined) return { schema: { type: 'string' }, example }
  return { schema: { type: 'string', format: 'binary' } }
}

/** Errors, one response for each status: problem details with an example per code, and the plain text of another protocol. */
function errorsOf(operation: Operation, common: HeaderName[], schemas: Parts) {
  const { problems, plainErrors = { name: '', textOf: {} } } = operation
  const byStatus: Partial<Record<number, ProblemCode[]>> = Object.groupBy(
    problems,
    (code) => problemKind(code).status,
  )
  const statuses = new Set([...Object.keys(byStatus), ...Object.keys(plainErrors.textOf)])
  return Object.fromEntries(
    [...statuses].sort().map((status) => {
      const codes = byStatus[Number(status)] ?? []
      const plain = plainErrors.textOf[Number(status)]
      const headers = codes.flatMap((code) => problemKind(code).headers ?? [])
      const isHead = operation.method === 'HEAD'
      const names = [...codes.map(pascalCase), ...(plain ? [`${plainErrors.name}${status}`] : [])]
      return [
        status,
        schemas.errors.refTo(`${names.join('Or')}${isHead ? 'Head' : ''}`, {
          description: [...codes.map((code) => `\`${code}\``), ...(plain ? [plain.trim()] : [])].join(', '),
          headers: headerRefs([...(plain ? common : commonOf(codes, common)), ...headers]),
          // A response to HEAD has no body.
          ...(isHead ? {} : { content: errorContent(codes, plain, schemas) }),
        }),
      ]
    }),
  )
}

/** Requests that the HTTP parser refuses reach no route, and before authentication no limit is known. */
function commonOf(codes: ProblemCode[], common: HeaderName[]): HeaderName[] {
  if (codes.every((code) => UNREAD.has(code))) return []
  return codes.every((code) => UNCOUNTED.has(code)) ? ALWAYS : common
}
const UNREAD = new Set<ProblemCode>(['bad_request', 'headers_too_large'])
const UNCOUNTED = new Set<ProblemCode>(['not_ready', 'identity_unavailable', 'storage_unavailable'])

const pascalCase = (code: string): string =>
  code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Most routes share their errors: each is written once, under the name of its codes. */
function createSharedResponses() {
  const components: Record<string, unknown> = {}
  const names = new Map<string, string>()
  return {
    components,
    refTo(name: string, response: unknown): { $ref: string } {
      const content = JSON.stringify(response)
      const known = names.get(content) ?? freeName(name)
      names.set(content, known)
      components[known] = response
      return { $ref: `#/components/responses/${known}` }
    },
  }
  /** Routes for participants and for users send different headers with the same codes. */
  function freeName(name: string): string {
    let free = name
    for (let n = 2; free in components; n++) free = `${name}${n}`
    return free
  }
}

interface Parts extends BuiltSchemas {
  errors: ReturnType<typeof createSharedResponses>
}

const errorContent = (codes: ProblemCode[], plain: string | undefined, schemas: BuiltSchemas) => ({
  ...(codes.length > 0
    ? {
        'application/problem+json': {
          schema: problemSchema(codes, schemas),
          examples: Object.fromEntries(
            codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      }
    : {}),
  ...(plain ? { 'text/plain': { schema: { type: 'string' }, example: plain } } : {}),
})

/** Some codes have further members. */
function problemSchema(codes: ProblemCode[], schemas: BuiltSchemas): JsonSchema {
  const own = new Set(codes.map((code) => problemKind(code).schema ?? ProblemSchema))
  const refs = [...own].map((schema) => schemas.refTo('output', schema))
  return refs.length === 1 ? (refs[0] as JsonSchema) : { anyOf: refs }
}

const headerRefs = (names: HeaderName[]) =>
  Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const headerComponents = () =>
  Object.fromEntries(allHeaders().map(([name, { required: _required, ...header }]) => [name, header]))

const parameterComponents = () =>
  Object.fromEntries(
    allHeaders().map(([name, { required = false, ...header }]) => [
      name,
      { name, in: 'header', required, ...header },
    ]),
  )

const REQUEST_ID = '0b9f2f3c-6d0e-4b0e-8f62-7f9f0a6f3b1d'

const problemExamples = () =>
  Object.fromEntries(
    allProblems().map(([code, { title, example: members }]) => {
      const errors = code === 'invalid_input' ? [{ path: 'name', message: 'must not be empty' }] : undefined
      const problem = new Problem(code, { ...(errors ? { errors } : {}), ...(members ? { members } : {}) })
      return [code, { summary: title, value: problemBody(problem, REQUEST_ID) }]
    }),
  )

/** Components that nothing refers to would only confuse. */
function withoutUnused<D extends { components: Record<string, object> }>(document: D): D {
  const { components } = document
  const used = new Set<string>()
  const follow = (part: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (used.has(`${kind}/${name}`)) continue
      used.add(`${kind}/${name}`)
      follow((components[kind] as Record<string, unknown>)[name] ?? {})
    }
  }
  const { components: _, ...rest } = document
  follow(rest)
  const keep = ([kind, all]: [string, object]) => [
    kind,
    kind === 'securitySchemes'
      ? all
      : Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`${kind}/${name}`))),
  ]
  return { ...document, components: Object.fromEntries(Object.entries(components).map(keep)) }
}
const REFERENCE = /"#\/components\/(\w+)\/([^"]+)"/g
