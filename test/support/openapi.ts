import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Reply } from './backend.ts'

/** The parts of an OpenAPI document that tests read. */
export interface OpenApiDocument {
  openapi: string
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  webhooks: Record<string, { post: OpenApiOperation }>
  components: Record<string, Record<string, unknown>>
}

interface OpenApiOperation {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, Response | { $ref: string }>
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: object
  example?: unknown
}

export interface MediaType {
  schema: object
  example?: unknown
  examples?: Record<string, { value?: unknown; $ref?: string }>
}

export interface Response {
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, MediaType>
}

/** One operation as a client sees it. */
export interface Operation {
  method: string
  path: string
  operation: OpenApiOperation
  parameters: Parameter[]
}

/** Reads an OpenAPI document as a contract: its operations, and whether a response conforms to them. */
export interface Contract {
  operations: Operation[]
  /** Resolves `#/components/…`. */
  resolve<T>(value: T | { $ref: string }): T
  /** Returns why a value does not match the schema at this path of the document; null if it matches. */
  errorsAt(path: string[], value: unknown): string | null
  /** Returns how a response differs from its declaration in the document; null if it conforms. */
  undeclared(operation: Operation, reply: Reply): string | null
}

export function contractOf(document: OpenApiDocument): Contract {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const resolve: Contract['resolve'] = (value) => {
    const reference = (value as { $ref?: string })?.$ref
    if (reference === undefined) return value as never
    return reference
      .slice(2)
      .split('/')
      .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document) as never
  }
  const errorsAt: Contract['errorsAt'] = (path, value) => {
    const reference = `openapi#/${path.map(pointerPart).join('/')}`
    const validate = ajv.getSchema(reference)
    if (!validate) throw new Error(`missing schema at ${reference}`)
    return validate(value) ? null : ajv.errorsText(validate.errors)
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      parameters: (operation.parameters ?? []).map((parameter) => resolve(parameter)),
    })),
  )

  function undeclared({ method, path, operation }: Operation, reply: Reply): string | null {
    const declared = operation.responses[reply.status]
    if (!declared) return `status ${reply.status} is not declared`
    const response = resolve<Response>(declared)
    const required = { 200: 'ETag', 201: 'Location', 206: 'Content-Range', 304: 'ETag', 429: 'Retry-After' }[
      reply.status
    ]
    if (required && response.headers?.[required] && !isFile(response) && !reply.headers.has(required))
      return `${reply.status} has no ${required}`
    const sent = (reply.headers.get('content-type') ?? '').split(';')[0]?.trim() ?? ''
    const hasBody = reply.text !== '' && method !== 'HEAD'
    if (!response.content) return hasBody ? `${reply.status} has a body, which is not declared` : null
    if (method === 'HEAD') return null
    const type = Object.keys(response.content).find((one) => covers(one, sent))
    if (type === undefined) return `${reply.status} is ${sent || 'without a type'}, which is not declared`
    if (!sent.endsWith('json')) return null
    const at =
      '$ref' in declared
        ? declared.$ref.slice(2).split('/')
        : ['paths', path, method.toLowerCase(), 'responses', String(reply.status)]
    const errors = errorsAt([...at, 'content', type, 'schema'], reply.body)
    return errors && `${reply.status} does not match its schema: ${errors}`
  }

  return { operations, resolve, errorsAt, undeclared }
}

const pointerPart = (key: string): string =>
  encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Files are sent while they are generated, before their ETag is known. */
const isFile = ({ content }: Response): boolean => Object.keys(content ?? {}).length > 1

const covers = (declared: string, sent: string): boolean =>
  declared === sent || (declared.endsWith('/*') && sent.startsWith(declared.slice(0, -1)))
