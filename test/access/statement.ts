/**
 * The rules of docs/roles-and-tiers.md and docs/api-conventions.md ("Order of checks"), written a second time. This file imports
 * nothing of the product, so that a mistake has to be made twice to pass.
 */

export const ROLES = ['owner', 'admin', 'member', 'billing', 'external', 'observer'] as const
export type Role = (typeof ROLES)[number]

export const TIERS = ['free', 'innovator', 'changemaker', 'guardian'] as const
export type Tier = (typeof TIERS)[number]

// docs/roles-and-tiers.md, "Workspace roles".
export const WORKSPACE_CAPABILITIES: Record<string, string> = {
  'project:read': 'owner admin member external observer',
  'conversation:read': 'owner admin member external observer',
  'report:read': 'owner admin member external observer',
  'project:create': 'owner admin member',
  'conversation:delete': 'owner admin member',
  'report:publish': 'owner admin member',
  'project:update': 'owner admin member external',
  'conversation:update': 'owner admin member external',
  'report:generate': 'owner admin member external',
  'project:delete': 'owner admin',
  'report:delete': 'owner admin',
  'workspace:manage': 'owner admin',
  'workspace:members': 'owner admin',
  'workspace:export': 'owner admin',
  'workspace:webhooks': 'owner admin',
  'workspace:usage': 'owner admin member billing',
  'workspace:delete': 'owner',
}

// docs/roles-and-tiers.md, "Organisation roles".
export const ORGANISATION_CAPABILITIES: Record<string, string> = {
  'organisation:read': 'owner admin member billing external observer',
  'organisation:usage': 'owner admin billing',
  'organisation:manage': 'owner admin',
  'organisation:members': 'owner admin',
  'organisation:audit': 'owner admin',
  'workspace:create': 'owner admin',
  'workspace:list': 'owner admin',
  'organisation:delete': 'owner',
}

/** docs/roles-and-tiers.md, "Tiers". */
export const LOWEST_TIER: Record<string, Tier> = { 'workspace:webhooks': 'changemaker' }

/** The permission that a route requires of its caller. The target is the record whose id is in the path. */
export type Requirement =
  | { kind: 'anyone' }
  | { kind: 'anyone signed in' }
  | { kind: 'staff' }
  | { kind: 'organisation'; capability: string; orSelf?: true }
  | { kind: 'workspace' | 'project'; capability: string | null; orOrganiser?: true; orSelf?: true }
  | { kind: 'invitation' }

type Sub =
  | 'member'
  | 'invitation'
  | 'workspace'
  | 'export'
  | 'webhook'
  | 'delivery'
  | 'replay'
  | 'segment'
  | 'job'

export interface Route {
  name: string
  requires: Requirement
  /** The kind of record of a further id in the path: looked up only after access, capability and tier, or after staff status. */
  sub?: Sub
  /** The status of a request that is allowed and valid. */
  success: number
}

const signedIn: Requirement = { kind: 'anyone signed in' }
const open: Requirement = { kind: 'anyone' }
const staff: Requirement = { kind: 'staff' }
const invitation: Requirement = { kind: 'invitation' }
const organisation = (capability: string): Requirement => ({ kind: 'organisation', capability })
const workspace = (capability: string | null): Requirement => ({ kind: 'workspace', capability })
const project = (capability: string): Requirement => ({ kind: 'project', capability })
const webhooks = project('workspace:webhooks')
const organisationMembers = organisation('organisation:members')
const workspaceMembers = workspace('workspace:members')
/** Also for an owner or admin of the workspace's organisation who has no role in the workspace. */
const orOrganiser = (requirement: Requirement): Requirement =>
  ({ ...requirement, orOrganiser: true }) as Requirement
/** Also for the member whose id is in the path: everybody can leave. */
const orSelf = (requirement: Requirement): Requirement => ({ ...requirement, orSelf: true }) as Requirement

const row = (name: string, requires: Requirement, success = 200, sub?: Sub): Route => ({
  name,
  requires,
  success,
  ...(sub && { sub }),
})

// docs/roles-and-tiers.md, "Capabilities and routes". A new route needs a row here, and a body in requests.ts if it takes one.
export const ROUTES: Route[] = [
  row('GET /api/health', open),
  row('GET /api/ready', open),
  row('GET /api/openapi.json', open),
  row('GET /api/docs', open),
  row('GET /api/problems', open),

  row('GET /api/v2/me', signedIn),
  row('GET /api/v2/me/organisations', signedIn),
  row('GET /api/v2/me/workspaces', signedIn),
  row('GET /api/v2/me/invitations', signedIn),
  row('GET /api/v2/me/activity', signedIn),
  row('GET /api/v2/organisations', signedIn),
  row('POST /api/v2/organisations', signedIn, 201),
  row('POST /api/v2/invitations/{id}/accept', invitation),
  row('POST /api/v2/invitations/{id}/decline', invitation),

  row('GET /api/v2/organisations/{oid}', organisation('organisation:read')),
  row('PATCH /api/v2/organisations/{oid}', organisation('organisation:manage')),
  row('DELETE /api/v2/organisations/{oid}', organisation('organisation:delete'), 204),
  row('GET /api/v2/organisations/{oid}/members', organisationMembers),
  row('POST /api/v2/organisations/{oid}/members', organisationMembers, 201),
  row('PATCH /api/v2/organisations/{oid}/members/{user_id}', organisationMembers, 200, 'member'),
  row('DELETE /api/v2/organisations/{oid}/members/{user_id}', orSelf(organisationMembers), 204, 'member'),
  row('GET /api/v2/organisations/{oid}/invitations', organisationMembers),
  row('DELETE /api/v2/organisations/{oid}/invitations/{iid}', organisationMembers, 204, 'invitation'),
  row('GET /api/v2/organisations/{oid}/workspaces', organisation('workspace:list')),
  row('POST /api/v2/organisations/{oid}/workspaces', organisation('workspace:create'), 201),
  row('GET /api/v2/organisations/{oid}/usage', organisation('organisation:usage')),
  row('GET /api/v2/organisations/{oid}/audit', organisation('organisation:audit')),

  row('GET /api/v2/workspaces/{wid}', workspace(null)),
  row('PATCH /api/v2/workspaces/{wid}', workspace('workspace:manage')),
  row('DELETE /api/v2/workspaces/{wid}', workspace('workspace:delete'), 204),
  row('GET /api/v2/workspaces/{wid}/members', orOrganiser(workspaceMembers)),
  row('POST /api/v2/workspaces/{wid}/members', orOrganiser(workspaceMembers), 201),
  row('PATCH /api/v2/workspaces/{wid}/members/{user_id}', workspaceMembers, 200, 'member'),
  row(
    'DELETE /api/v2/workspaces/{wid}/members/{user_id}',
    orOrganiser(orSelf(workspaceMembers)),
    204,
    'member',
  ),
  row('GET /api/v2/workspaces/{wid}/invitations', orOrganiser(workspaceMembers)),
  row('DELETE /api/v2/workspaces/{wid}/invitations/{iid}', orOrganiser(workspaceMembers), 204, 'invitation'),
  row('GET /api/v2/workspaces/{wid}/projects', workspace('project:read')),
  row('POST /api/v2/workspaces/{wid}/projects', workspace('project:create'), 201),
  row('GET /api/v2/workspaces/{wid}/usage', workspace('workspace:usage')),
  row('POST /api/v2/workspaces/{wid}/export', workspace('workspace:export'), 202),
  row('GET /api/v2/workspaces/{wid}/exports/{eid}', workspace('workspace:export'), 200, 'export'),

  row('GET /api/v2/projects/{pid}', project('project:read')),
  row('PATCH /api/v2/projects/{pid}', project('project:update')),
  row('DELETE /api/v2/projects/{pid}', project('project:delete'), 204),
  row('GET /api/v2/projects/{pid}/statistics', project('conversation:read')),
  row('GET /api/v2/projects/{pid}/retention', project('project:update')),
  row('GET /api/v2/projects/{pid}/consent-texts', project('project:read')),
  row('GET /api/v2/projects/{pid}/changes', project('project:update')),

  row('GET /api/v2/projects/{pid}/conversations', project('conversation:read')),
  row('GET /api/v2/projects/{pid}/stream', project('conversation:read')),
  row('GET /api/v2/projects/{pid}/live', project('conversation:read')),
  row('GET /api/v2/conversations/{cid}', project('conversation:read')),
  row('PATCH /api/v2/conversations/{cid}', project('conversation:update')),
  row('DELETE /api/v2/conversations/{cid}', project('conversation:delete'), 204),
  row('GET /api/v2/conversations/{cid}/transcript', project('conversation:read')),
  row('GET /api/v2/conversations/{cid}/segments', project('conversation:read')),
  row('GET /api/v2/conversations/{cid}/segments/{sid}', project('conversation:read'), 200, 'segment'),
  row('PATCH /api/v2/conversations/{cid}/segments/{sid}', project('conversation:update'), 200, 'segment'),
  row('GET /api/v2/conversations/{cid}/speakers', project('conversation:read')),
  row('PATCH /api/v2/conversations/{cid}/speakers', project('conversation:update')),
  row('GET /api/v2/conversations/{cid}/audio', project('conversation:read')),
  row('GET /api/v2/conversations/{cid}/peaks', project('conversation:read')),
  row('POST /api/v2/conversations/{cid}/retranscribe', project('conversation:update'), 202),
  row('POST /api/v2/conversations/{cid}/summarize', project('conversation:update'), 202),

  row('GET /api/v2/projects/{pid}/reports', project('report:read')),
  row('POST /api/v2/projects/{pid}/reports', project('report:generate'), 202),
  row('GET /api/v2/reports/{rid}', project('report:read')),
  row('GET /api/v2/reports/{rid}/document', project('report:read')),
  row('PUT /api/v2/reports/{rid}/document', project('report:generate')),
  row('GET /api/v2/reports/{rid}/versions', project('report:read')),
  row('POST /api/v2/reports/{rid}/restore', project('report:generate')),
  row('PATCH /api/v2/reports/{rid}', project('report:publish')),
  row('DELETE /api/v2/reports/{rid}', project('report:delete'), 204),
  row('GET /api/v2/reports/{rid}/progress', project('report:read')),

  row('GET /api/v2/admin/organisations', staff),
  row('GET /api/v2/admin/workspaces', staff),
  row('PUT /api/v2/admin/workspaces/{wid}/tier', staff, 200, 'workspace'),
  row('POST /api/v2/admin/workspaces/{wid}/transfer', staff, 200, 'workspace'),
  row('GET /api/v2/admin/audit', staff),
  row('GET /api/v2/admin/jobs', staff),
  row('POST /api/v2/admin/jobs/{jid}/retry', staff, 202, 'job'),
  row('GET /api/v2/admin/usage', staff),
  row('GET /api/v2/admin/webhooks', staff),
  row('POST /api/v2/admin/webhooks/{id}/disable', staff, 200, 'webhook'),

  // docs/webhooks.md. All of them need the same capability.
  row('GET /api/projects/{pid}/webhooks', webhooks),
  row('POST /api/projects/{pid}/webhooks', webhooks, 201),
  row('GET /api/projects/{pid}/webhooks/{id}', webhooks, 200, 'webhook'),
  row('PATCH /api/projects/{pid}/webhooks/{id}', webhooks, 200, 'webhook'),
  row('DELETE /api/projects/{pid}/webhooks/{id}', webhooks, 204, 'webhook'),
  row('POST /api/projects/{pid}/webhooks/{id}/test', webhooks, 200, 'webhook'),
  row('GET /api/projects/{pid}/webhooks/{id}/copyable', webhooks, 200, 'webhook'),
  row('POST /api/projects/{pid}/webhooks/{id}/rotate-secret', webhooks, 200, 'webhook'),
  row('GET /api/projects/{pid}/webhooks/{id}/deliveries', webhooks, 200, 'webhook'),
  row('GET /api/projects/{pid}/webhooks/{id}/deliveries/{did}', webhooks, 200, 'delivery'),
  row('GET /api/projects/{pid}/webhooks/{id}/statistics', webhooks, 200, 'webhook'),
  row('POST /api/projects/{pid}/webhooks/{id}/deliveries/{did}/resend', webhooks, 202, 'delivery'),
  row('POST /api/projects/{pid}/webhooks/{id}/replay', webhooks, 202, 'webhook'),
  row('GET /api/projects/{pid}/webhooks/{id}/replay/{replay_id}', webhooks, 200, 'replay'),
  row('DELETE /api/projects/{pid}/webhooks/{id}/replay/{replay_id}', webhooks, 204, 'replay'),
  row('GET /api/v2/projects/{pid}/deliveries', webhooks),
  row('GET /api/v2/projects/{pid}/events', webhooks),
  row('GET /api/v2/projects/{pid}/events/stream', webhooks),
]

/**
 * Routes of participants, public or with the token of a conversation; uploads (docs/recording.md, "Upload a whole file"), which need a
 * token or `conversation:update`; and logos, whose bodies are images. Other tests cover their access.
 */
export const OTHER_ROUTES: Pick<Route, 'name' | 'success'>[] = [
  { name: 'GET /api/participant/projects/{pid}', success: 200 },
  { name: 'POST /api/participant/projects/{pid}/conversations', success: 201 },
  { name: 'GET /api/participant/projects/{pid}/report', success: 200 },
  { name: 'GET /api/participant/projects/{pid}/logo', success: 200 },
  { name: 'GET /api/participant/projects/{pid}/qr.svg', success: 200 },
  { name: 'GET /api/participant/projects/{pid}/qr.png', success: 200 },
  { name: 'GET /api/participant/conversations/{cid}', success: 200 },
  { name: 'DELETE /api/participant/conversations/{cid}', success: 204 },
  { name: 'PUT /api/participant/conversations/{cid}/chunks/{seq}', success: 201 },
  { name: 'POST /api/participant/conversations/{cid}/text', success: 201 },
  { name: 'POST /api/participant/conversations/{cid}/heartbeat', success: 204 },
  { name: 'POST /api/participant/conversations/{cid}/finish', success: 202 },
  ...['/api/participant/conversations/{cid}/uploads', '/api/v2/projects/{pid}/uploads'].flatMap((uploads) => [
    { name: `POST ${uploads}`, success: 201 },
    { name: `HEAD ${uploads}/{uid}`, success: 200 },
    { name: `PATCH ${uploads}/{uid}`, success: 204 },
    { name: `DELETE ${uploads}/{uid}`, success: 204 },
  ]),
  // `project:update`.
  { name: 'PUT /api/v2/projects/{pid}/logo', success: 200 },
  { name: 'DELETE /api/v2/projects/{pid}/logo', success: 204 },
]

/** docs/roles-and-tiers.md, "Audit log". */
export const AUDITED_READS =
  /\/live$|\/conversations($|\/\{cid\}($|\/transcript$|\/segments($|\/)|\/speakers$|\/audio$|\/peaks$))/

/** The roles of one caller in one organisation and one of its workspaces. */
export interface EffectiveRoles {
  organisation: Role | null
  workspace: Role | null
  staff: boolean
}

export type Caller = EffectiveRoles | 'anonymous'

/**
 * `own` is the target in which the caller has the effective roles. `foreign` is one in which the caller has none, and `deleted` one
 * that was deleted while the roles are still stored. The others are ids of nothing.
 */
export const TARGETS = ['own', 'foreign', 'deleted', 'unknown', 'malformed'] as const
export type Target = (typeof TARGETS)[number]

/** `null`: access is granted, and the response depends on the rest of the request. */
export type ErrorResponse = { status: number; code: string } | null

const UNAUTHENTICATED = { status: 401, code: 'unauthenticated' }
export const NOT_FOUND = { status: 404, code: 'not_found' }
export const CAPABILITY = { status: 403, code: 'capability_required' }
export const TIER = { status: 403, code: 'tier_required' }
const STAFF = { status: 403, code: 'staff_required' }

const STRANGER = { organisation: null, workspace: null }

/** The whole rule, in the order of docs/api-conventions.md, "Order of checks": token, access, capability, tier, sub-resource. */
export function expected(
  route: Pick<Route, 'requires' | 'sub'>,
  caller: Caller,
  target: Target,
  state: { tier: Tier; gates: boolean; subExists: boolean; self?: boolean },
): ErrorResponse {
  const { requires } = route
  if (requires.kind === 'anyone') return null
  if (caller === 'anonymous') return UNAUTHENTICATED
  if (requires.kind === 'anyone signed in') return null
  const exists = target === 'own' || target === 'foreign'
  if (requires.kind === 'staff') {
    if (!caller.staff) return STAFF
    return route.sub && !exists ? NOT_FOUND : null
  }
  // An invitation exists only for the invited person, whatever the roles of others are.
  if (requires.kind === 'invitation') return target === 'own' ? null : NOT_FOUND

  const effectiveRoles = target === 'own' ? caller : { ...STRANGER, staff: caller.staff }
  if (!exists || !hasAccess(requires.kind, effectiveRoles)) return NOT_FOUND
  if (!isCapable(requires, effectiveRoles) && !isLeaving(requires, effectiveRoles, state.self))
    return CAPABILITY
  if (requires.kind !== 'organisation' && state.gates && isBelow(state.tier, requires.capability)) return TIER
  return route.sub && !state.subExists ? NOT_FOUND : null
}

/** Whether the caller is allowed to know that the target exists. */
function hasAccess(kind: 'organisation' | 'workspace' | 'project', effectiveRoles: EffectiveRoles): boolean {
  if (effectiveRoles.staff) return true
  if (kind === 'organisation') return effectiveRoles.organisation !== null
  return effectiveRoles.workspace !== null || isOrganiser(effectiveRoles)
}

function isCapable(requires: Requirement, effectiveRoles: EffectiveRoles): boolean {
  if (effectiveRoles.staff) return true
  if (requires.kind === 'organisation')
    return holds(ORGANISATION_CAPABILITIES, requires.capability, effectiveRoles.organisation)
  if (requires.kind !== 'workspace' && requires.kind !== 'project') return true
  if (requires.capability === null) return true
  if (requires.orOrganiser && isOrganiser(effectiveRoles)) return true
  return holds(WORKSPACE_CAPABILITIES, requires.capability, effectiveRoles.workspace)
}

/** Whether the member whose id is in the path is the caller, who can give up any role. */
const isLeaving = (requires: Requirement, effectiveRoles: EffectiveRoles, self = false): boolean =>
  self &&
  (requires.kind === 'organisation' || requires.kind === 'workspace') &&
  requires.orSelf === true &&
  effectiveRoles[requires.kind] !== null

/** The capabilities of a role, as `/me` lists them. */
export const capabilitiesOf = (table: Record<string, string>, role: Role): string[] =>
  Object.keys(table).filter((capability) => holds(table, capability, role))

function holds(table: Record<string, string>, capability: string, role: Role | null): boolean {
  const holders = table[capability]
  if (holders === undefined) throw new Error(`docs/roles-and-tiers.md has no capability ${capability}`)
  return role !== null && holders.split(' ').includes(role)
}

const isOrganiser = (effectiveRoles: EffectiveRoles): boolean =>
  effectiveRoles.organisation === 'owner' || effectiveRoles.organisation === 'admin'

/** Whether a route needs a tier above the lowest. */
export const isGated = ({ requires }: Pick<Route, 'requires'>): boolean =>
  'capability' in requires && isBelow('free', requires.capability)

function isBelow(tier: Tier, capability: string | null): boolean {
  const lowest = capability === null ? undefined : LOWEST_TIER[capability]
  return lowest !== undefined && TIERS.indexOf(tier) < TIERS.indexOf(lowest)
}

/** Owners are above admins, and admins above all other roles, which are equal. */
export function rank(role: Role | null): number {
  if (role === 'owner') return 2
  return role === 'admin' ? 1 : 0
}

/** Whether somebody who can manage members can grant this role, or change or remove a member who has it: none above their own. */
export function canAssign(route: Pick<Route, 'requires'>, caller: EffectiveRoles, role: Role): boolean {
  return caller.staff || rank(role) <= ownRank(route.requires, caller)
}

function ownRank(requires: Requirement, caller: EffectiveRoles): number {
  if (requires.kind === 'organisation') return rank(caller.organisation)
  const byOrganisation = requires.kind === 'workspace' && requires.orOrganiser ? rank(caller.organisation) : 0
  return Math.max(rank(caller.workspace), byOrganisation)
}

/** Every combination: each role or none in the organisation and in the workspace, staff or not. */
export const ALL_ROLE_SETS: EffectiveRoles[] = [false, true].flatMap((staff) =>
  [null, ...ROLES].flatMap((organisation) =>
    [null, ...ROLES].map((workspace) => ({ organisation, workspace, staff })),
  ),
)
