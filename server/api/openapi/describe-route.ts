import type { z } from 'zod'
import type { Guarded } from '../../auth/authorize.ts'
import type { ProblemCode } from '../problems.ts'
import type { RouteSpec } from '../route-spec.ts'
import { type Operation, operationOf } from './index.ts'

/** A route's entry in the OpenAPI document, made from the same schemas that check its input and its responses. */
export const describeRoute = (
  spec: RouteSpec<Guarded, z.ZodType>,
  method: Operation['method'],
  body: z.ZodType | undefined,
): Operation =>
  operationOf({
    method,
    url: spec.url,
    id: spec.id,
    summary: spec.summary,
    description: describeAccess(spec.access),
    tag: spec.tag,
    security: 'user',
    ...(spec.query ? { query: spec.query } : {}),
    ...(body ? { body } : {}),
    responses: spec.answers,
    problems: problemsOf(spec, method),
  })

export function describeAccess(access: Guarded): string {
  switch (access.kind) {
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

function describeCapability(access: Extract<Guarded, { capability: unknown }>): string {
  const tier = 'tier' in access && access.tier ? `, on tier \`${access.tier}\` or above` : ''
  const organisers =
    'orOrganisation' in access && access.orOrganisation
      ? ` Also for owners and admins of the organisation (\`${access.orOrganisation}\`).`
      : ''
  const self = 'orSelf' in access && access.orSelf ? ' Every member can do it to themselves.' : ''
  return `Needs \`${access.capability}\`${tier}.${organisers}${self}`
}

function problemsOf(spec: RouteSpec<Guarded, z.ZodType>, method: Operation['method']): ProblemCode[] {
  const codes = [...(spec.problems ?? []), ...accessProblems(spec.access)]
  if (spec.find) codes.push('not_found')
  if (method === 'POST') codes.push('idempotency_key_reused')
  if (method === 'PATCH' || method === 'PUT') codes.push('precondition_failed')
  return codes
}

/** The errors that the access check can end in. */
export function accessProblems(access: Guarded): ProblemCode[] {
  const codes: ProblemCode[] = []
  if (access.kind === 'staff') codes.push('staff_required')
  if ('capability' in access) codes.push('not_found', 'capability_required')
  if ('tier' in access) codes.push('tier_required')
  return codes
}
