import { z } from 'zod'
import type { Access, AccountAccess } from '../../auth/authorize.ts'
import type { ProblemCode } from '../problems.ts'
import type { RouteSpec } from '../route-spec.ts'
import { type Operation, operationOf, type RawBody } from './operation.ts'

type Describable = Pick<
  RouteSpec<Access, z.ZodType>,
  'id' | 'summary' | 'tag' | 'url' | 'access' | 'query' | 'responses' | 'problems' | 'openapi'
> & { find?: unknown; etag?: unknown }

/** A route's entry in the OpenAPI document, made from the same schemas that check its input and its responses. */
export function describeRoute(
  spec: Describable,
  method: Operation['method'],
  body?: z.ZodType | RawBody,
): Operation {
  const { access, openapi = {} } = spec
  const description = [describeAccess(access), openapi.description].filter(Boolean).join(' ')
  return operationOf({
    method,
    url: spec.url,
    id: spec.id,
    summary: spec.summary,
    tag: spec.tag,
    security: securityOf(access),
    ...(spec.query ? { query: spec.query } : {}),
    ...(body ? { body } : {}),
    responses: spec.responses,
    problems: problemsOf(spec, method, body),
    ...openapi,
    ...(description ? { description } : {}),
  })
}

const isAccountAccess = (access: Access): access is AccountAccess =>
  access.kind !== 'public' && access.kind !== 'participant'

function securityOf(access: Access): Operation['security'] {
  if (isAccountAccess(access)) return 'user'
  return access.kind === 'participant' ? 'participant' : 'none'
}

function describeAccess(access: Access): string {
  switch (access.kind) {
    case 'public':
    case 'participant':
      return ''
    case 'signed_in':
      return 'For every signed-in user.'
    case 'staff':
      return 'For staff (`admin_access`).'
    default:
      return access.capability === null
        ? 'For everyone who has access to the workspace.'
        : describeCapability(access)
  }
}

function describeCapability(access: Extract<Access, { capability: unknown }>): string {
  const tier = 'tier' in access && access.tier ? `, on tier \`${access.tier}\` or above` : ''
  const organisers =
    'orOrganisation' in access && access.orOrganisation
      ? ` Also for owners and admins of the organisation (\`${access.orOrganisation}\`).`
      : ''
  const self = 'orSelf' in access && access.orSelf ? ' Every member can do it to themselves.' : ''
  return `Needs \`${access.capability}\`${tier}.${organisers}${self}`
}

function problemsOf(
  { access, problems = [], find }: Describable,
  method: Operation['method'],
  body: z.ZodType | RawBody | undefined,
): ProblemCode[] {
  if (!isAccountAccess(access)) return [...problems]
  const codes = [...problems, ...accessProblems(access)]
  if (find) codes.push('not_found')
  if (!(body instanceof z.ZodType)) return codes
  if (method === 'POST') codes.push('idempotency_key_reused')
  if (method === 'PATCH' || method === 'PUT') codes.push('precondition_failed')
  return codes
}

/** The errors of the access check. */
function accessProblems(access: AccountAccess): ProblemCode[] {
  const codes: ProblemCode[] = []
  if (access.kind === 'staff') codes.push('staff_required')
  if ('capability' in access) codes.push('not_found', 'capability_required')
  if ('tier' in access) codes.push('tier_required')
  return codes
}
