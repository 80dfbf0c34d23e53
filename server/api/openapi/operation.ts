import type { FastifySchema } from 'fastify'
import { z } from 'zod'
import type { ProblemCode } from '../problems.ts'
import { noBody } from '../schema.ts'
import type { HeaderName } from './headers.ts'
import type { Tag } from './tags.ts'

/** A JSON body, one schema per media type, or null for none. */
export type ResponseBody = z.ZodType | Record<string, z.ZodType> | null

/** A body that is passed on as bytes and not parsed. */
export interface RawBody {
  mediaTypes: string[]
  required: boolean
  description: string
}

/** Everything that the OpenAPI document shows of one route. Routes derive it from their own declaration, so that both agree. */
export interface Operation {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As Fastify writes it: `/projects/:pid`. */
  url: string
  /** The name of the function in generated clients. */
  id: string
  summary: string
  description?: string
  tag: Tag
  /** `user`: session cookie or bearer token. `participant`: X-Participant-Token. */
  security: 'user' | 'participant' | 'none'
  query?: z.ZodType
  body?: z.ZodType | RawBody
  responses: Record<number, ResponseBody>
  problems: ProblemCode[]
  /** Errors of another protocol, in plain text. */
  plainErrors?: PlainErrors
  /** False: a GET without an ETag, although its result is JSON. */
  conditional?: false
  requestHeaders: HeaderName[]
  /** Headers of a response that is not an error, by status. The document adds those that every response has. */
  responseHeaders: Partial<Record<number, HeaderName[]>>
}

interface PlainErrors {
  /** The first part of their names in the document. */
  name: string
  textOf: Record<number, string>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent: the route is not part of the reference. */
    operation?: Operation
  }
}

export const isRawBody = (body: Operation['body']): body is RawBody =>
  body !== undefined && !(body instanceof z.ZodType)

/** The schemas with which Fastify validates and serialises. Path parameters are only documented; errors are serialised elsewhere. */
export function fastifySchemaOf({ query, body, responses }: Operation): FastifySchema {
  return {
    ...(query ? { querystring: query } : {}),
    ...(body instanceof z.ZodType ? { body } : {}),
    response: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [status, serialisable(response)]),
    ),
  }
}

function serialisable(response: ResponseBody): unknown {
  if (response === null) return z.undefined()
  if (response instanceof z.ZodType) return response
  return {
    content: Object.fromEntries(Object.entries(response).map(([type, schema]) => [type, { schema }])),
  }
}

/** Parts of an operation that do not follow from its method and schemas. */
export type OperationExtras = Partial<
  Pick<Operation, 'description' | 'plainErrors' | 'requestHeaders' | 'responseHeaders'>
>

type Draft = Omit<Operation, keyof OperationExtras> & OperationExtras

/**
 * Completes the declaration of a route with everything that follows from its method and responses: the headers that it reads and
 * sends, and the errors of its body. A new route does not have to declare them.
 */
export function operationOf(draft: Draft): Operation {
  const responses = isConditional(draft) ? { ...draft.responses, 304: null } : draft.responses
  return {
    ...draft,
    responses,
    problems: [...new Set([...draft.problems, ...problemsOf(draft)])],
    requestHeaders: [...requestHeadersOf(draft), ...(draft.requestHeaders ?? [])],
    responseHeaders: responseHeadersOf({ ...draft, responses }),
  }
}

/** Whether the GET sends an ETag and can return 304: all except event streams and generated files. */
function isConditional({ method, responses, conditional }: Draft): boolean {
  if (method !== 'GET' || conditional === false) return false
  return typesOf(responses[200]).some((type) => type !== 'text/event-stream')
}

const isStream = ({ responses }: Pick<Operation, 'responses'>): boolean =>
  typesOf(responses[200]).includes('text/event-stream')

/** The schema of each media type of a response. */
export const byMediaType = (response: ResponseBody | undefined): Record<string, z.ZodType> =>
  response instanceof z.ZodType ? { 'application/json': response } : (response ?? {})

const typesOf = (response: ResponseBody | undefined): string[] => Object.keys(byMediaType(response))

function problemsOf({ method, url, security, query, body }: Draft): ProblemCode[] {
  const codes: ProblemCode[] = ['bad_request', 'headers_too_large', 'not_ready']
  if (security !== 'none' || url.includes(':')) codes.push('rate_limited')
  if (url.includes(':')) codes.push('not_found')
  if (security === 'user') codes.push('unauthenticated', 'identity_unavailable')
  if (security === 'user' && method !== 'GET' && method !== 'HEAD') codes.push('csrf_rejected')
  if (security === 'participant') codes.push('participant_token_rejected')
  if (query) codes.push('invalid_input')
  if (body) codes.push('unsupported_media', 'too_large', 'invalid_input')
  return codes
}

function requestHeadersOf(draft: Draft): HeaderName[] {
  const { method, security, responses } = draft
  const names: HeaderName[] = []
  if (method === 'POST' && (security === 'user' || 201 in responses) && !isRawBody(draft.body))
    names.push('Idempotency-Key')
  if ((method === 'PATCH' || method === 'PUT') && !isRawBody(draft.body)) names.push('If-Match')
  if (isConditional(draft)) names.push('If-None-Match')
  if (206 in responses) names.push('Range', 'If-Range')
  if (isStream(draft)) names.push('Last-Event-ID')
  return names
}

function responseHeadersOf(draft: Draft): Operation['responseHeaders'] {
  const { method, responses, responseHeaders: own = {} } = draft
  const ofStatus = (status: number): HeaderName[] => {
    const names = [...(own[status] ?? [])]
    if (isRawBody(draft.body)) return names
    if (status === 201) names.push('Location', 'ETag')
    if (status === 304) names.push('ETag')
    if (status === 200 && (isConditional(draft) || method === 'PATCH' || method === 'PUT')) names.push('ETag')
    if (206 in responses && status === 200) names.push('Accept-Ranges')
    if (status === 206) names.push('ETag', 'Accept-Ranges', 'Content-Range')
    if (typesOf(responses[status]).length > 1) names.push('Content-Disposition')
    return names
  }
  return Object.fromEntries(Object.keys(responses).map((status) => [status, ofStatus(Number(status))]))
}

/** Routes that need no body take none, an empty one and `{}`; a generated client need not offer the choice. */
export const takesNothing = (body: Operation['body']): boolean => body === undefined || body === noBody
