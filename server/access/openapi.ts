import type { FastifySchema, HTTPMethods } from 'fastify'
import { z } from 'zod'
import { PROBLEMS, type ProblemCode } from '../kernel/problems.ts'
import { ProblemSchema } from '../kernel/schema.ts'
import type { Guarded } from './decide.ts'
import type { RouteSpec } from './route-spec.ts'

/** A route's page in the OpenAPI document, made from the same schemas that check its input and its answers. */
export function describeRoute(
  spec: RouteSpec<Guarded, z.ZodType>,
  method: HTTPMethods,
  body: z.ZodType | undefined,
): FastifySchema {
  return {
    operationId: spec.id,
    summary: spec.summary,
    description: describeAccess(spec.access),
    tags: [spec.tag],
    security: [{ cookie: [] }, { bearer: [] }],
    ...(spec.url.includes(':') ? { params: paramsOf(spec.url) } : {}),
    ...(spec.query ? { querystring: spec.query } : {}),
    ...(body ? { body } : {}),
    ...headersOf(method),
    response: { ...answersOf(spec.answers), ...refusalsOf(problemsOf(spec, method, body)) },
  }
}

function describeAccess(access: Guarded): string {
  switch (access.kind) {
    case 'signed_in':
      return 'For every signed-in user.'
    case 'staff':
      return 'For staff (`admin_access`).'
    default:
      return access.capability === null ? 'For whoever can reach the workspace.' : describeCapability(access)
  }
}

function describeCapability(access: Extract<Guarded, { capability: unknown }>): string {
  const tier = 'tier' in access && access.tier ? `, on tier \`${access.tier}\` or above` : ''
  const organisers =
    'orOrganisation' in access && access.orOrganisation
      ? ` Also for owners and admins of the organisation (\`${access.orOrganisation}\`).`
      : ''
  const self = 'orSelf' in access && access.orSelf ? ' Every member can do it to themselves.' : ''
  return `Needs \`${access.capability}\`${tier}.${organisers}${self}`
}

/** Path parameters are not validated: an id that can't exist is simply not found. */
function paramsOf(url: string): z.ZodType {
  const names = [...url.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
  const schema = (name: string) => (name === 'user_id' ? z.string() : z.string().meta({ format: 'uuid' }))
  return z.object(Object.fromEntries(names.map((name) => [name, schema(name)])))
}

const ifMatch = z.looseObject({
  'if-match': z.string().optional().describe('The ETag of the record that you read; 412 when it changed'),
})
const HEADERS: Partial<Record<string, z.ZodType>> = {
  POST: z.looseObject({
    'idempotency-key': z
      .string()
      .optional()
      .describe('A repeat within 24 hours gets the first answer and does nothing'),
  }),
  PATCH: ifMatch,
  PUT: ifMatch,
}
const headersOf = (method: HTTPMethods) => (HEADERS[method] ? { headers: HEADERS[method] } : {})

const answersOf = (answers: RouteSpec<Guarded, z.ZodType>['answers']) =>
  Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, answerOf(answer)]))

function answerOf(answer: z.ZodType | Record<string, z.ZodType> | null) {
  if (answer === null) return z.undefined().describe('No content')
  if (answer instanceof z.ZodType) return answer
  const content = Object.entries(answer).map(([type, schema]) => [type, { schema }])
  return { description: 'By the Accept header', content: Object.fromEntries(content) }
}

function problemsOf(
  spec: RouteSpec<Guarded, z.ZodType>,
  method: HTTPMethods,
  body: z.ZodType | undefined,
): ProblemCode[] {
  const always: ProblemCode[] = [
    'bad_request',
    'unauthenticated',
    'rate_limited',
    'headers_too_large',
    'identity_unavailable',
    'not_ready',
  ]
  const codes = [...always, ...(spec.problems ?? [])]
  if (spec.access.kind === 'staff') codes.push('staff_required')
  if ('capability' in spec.access) codes.push('not_found', 'capability_required')
  if ('tier' in spec.access) codes.push('tier_required')
  if (spec.find) codes.push('not_found')
  if (spec.query) codes.push('invalid_input')
  if (method !== 'GET') codes.push('csrf_rejected')
  if (body) codes.push('unsupported_media', 'too_large', 'invalid_input')
  if (method === 'POST') codes.push('idempotency_key_reused')
  if (method === 'PATCH' || method === 'PUT') codes.push('precondition_failed')
  return codes
}

/** The refusals of a route, one entry for each status. */
export function refusalsOf(codes: ProblemCode[]): Record<number, unknown> {
  const byStatus = Object.groupBy(new Set(codes), (code) => PROBLEMS[code].status)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, group]) => [
      status,
      {
        description: (group ?? []).map((code) => `\`${code}\``).join(', '),
        content: { 'application/problem+json': { schema: ProblemSchema } },
      },
    ]),
  )
}
