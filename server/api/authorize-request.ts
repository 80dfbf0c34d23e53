import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/database.ts'
import type { Authentication } from '../auth/authenticate.ts'
import { type Access, type AccountAccess, authorize, type EffectiveRoles } from '../auth/authorize.ts'
import {
  locate,
  type OrganisationTarget,
  type ProjectTarget,
  type WorkspaceTarget,
} from '../auth/locate-target.ts'
import type { ParticipantConversation, VerifyParticipantToken } from '../auth/participant-token.ts'
import { PARTICIPANT, type Principal } from '../auth/principal.ts'
import { rejectCrossSiteRequest } from './csrf.ts'
import { Problem } from './problems.ts'
import { spend } from './rate-limit-headers.ts'
import type { RateLimits } from './rate-limits.ts'

export interface AuthorizationOptions {
  database: Database
  authentication: Authentication
  verifyParticipantToken: VerifyParticipantToken
  allowedOrigins: ReadonlySet<string>
  tierGates: boolean
  confirmStaff: boolean
  /** Null with RATE_LIMITS=off. */
  limits: RateLimits | null
}

/** The caller and the target of a request that passed the access check of its route. */
export interface AuthorizedRequest {
  principal: Principal
  roles: EffectiveRoles | null
  target: OrganisationTarget | WorkspaceTarget | ProjectTarget | ParticipantConversation | null
}

/** The access check of every route. With an account: token 401, CSRF 403, reach 404, capability 403, tier 403, in this order. */
export async function authorizeRequest(
  request: FastifyRequest,
  access: Access,
  options: AuthorizationOptions,
): Promise<AuthorizedRequest> {
  if (access.kind === 'public' || access.kind === 'participant')
    return authorizeParticipant(request, access.kind, options)
  const principal = await authenticate(request, options)
  if (principal.source === 'cookie')
    rejectCrossSiteRequest(request.method, request.headers, options.allowedOrigins)
  return authorizePrincipal(request, access, principal, options)
}

async function authorizeParticipant(
  request: FastifyRequest,
  kind: 'public' | 'participant',
  { limits, verifyParticipantToken }: AuthorizationOptions,
): Promise<AuthorizedRequest> {
  await spend(request, limits?.participantsPerAddress, request.ip)
  if (kind === 'public') return { principal: PARTICIPANT, roles: null, target: null }
  const { cid = '' } = request.params as { cid?: string }
  const conversation = await verifyParticipantToken(cid, request.headers['x-participant-token'])
  // Counted by the ids of the rows, because a path can spell the same id in upper and lower case.
  await spend(request, limits?.perConversation, conversation.id)
  await spend(request, limits?.perProject, conversation.project_id)
  await spend(request, limits?.perWorkspace, conversation.workspace_id)
  return { principal: PARTICIPANT, roles: null, target: conversation }
}

/** Checks the roles that the caller has now. */
export async function authorizePrincipal(
  request: FastifyRequest,
  access: AccountAccess,
  principal: Principal,
  options: AuthorizationOptions,
): Promise<AuthorizedRequest> {
  const located = await locateTarget(access, principal, request, options)
  const roles = access.kind === 'staff' ? await staffRoles(principal, options) : (located?.roles ?? null)
  const { user_id } = request.params as { user_id?: string }
  if (roles) roles.self = user_id === principal.userId
  const decision = authorize(access, roles, options.tierGates)
  if (decision !== 'allowed') throw new Problem(decision)
  return { principal, roles, target: located?.target ?? null }
}

async function authenticate(request: FastifyRequest, { authentication, limits }: AuthorizationOptions) {
  try {
    const principal = await authentication.authenticate(request.raw)
    await spend(request, limits?.perUser, principal.userId)
    return principal
  } catch (error) {
    // Limits the guessing of tokens per address. Valid tokens from the same address do not count.
    if (error instanceof Problem && error.code === 'unauthenticated')
      await spend(request, limits?.failuresPerAddress, request.ip)
    throw error
  }
}

async function locateTarget(
  access: AccountAccess,
  principal: Principal,
  request: FastifyRequest,
  { database: { pipelined } }: AuthorizationOptions,
) {
  const { oid = '', wid = '', pid = '', cid = '', rid = '' } = request.params as Record<string, string>
  switch (access.kind) {
    case 'organisation':
      return locate('organisation', oid, principal, pipelined)
    case 'workspace':
      return locate('workspace', wid, principal, pipelined)
    case 'project':
      if (access.through === 'report') return locate('project_of_report', rid, principal, pipelined)
      if (access.through) return locate('project_of_conversation', cid, principal, pipelined)
      return locate(access.tier ? 'project_with_tier' : 'project', pid, principal, pipelined)
    default:
      return null
  }
}

async function staffRoles(principal: Principal, options: AuthorizationOptions): Promise<EffectiveRoles> {
  const { confirmStaff, authentication } = options
  const staff = principal.staff && (!confirmStaff || (await authentication.confirmStaff(principal)))
  return { staff, organisationRole: null, workspaceRole: null, tier: null }
}
