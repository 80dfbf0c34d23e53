import {
  type OrganisationCapability,
  organisationRoleHolds,
  type Role,
  type WorkspaceCapability,
  workspaceRoleHolds,
} from './capabilities.ts'
import { includesTier, type Tier } from './tiers.ts'

/** The access that a route declares. A route without one does not register. */
export type Access = PublicAccess | AccountAccess

/** Without an account: open to everyone, or to the holder of a conversation's participant token. */
type PublicAccess = { kind: 'public' } | { kind: 'participant' }

/** For signed-in users. */
export type AccountAccess =
  | { kind: 'signed_in' }
  | { kind: 'staff' }
  | OrganisationAccess
  | WorkspaceAccess
  | ProjectAccess

interface OrganisationAccess {
  kind: 'organisation'
  capability: OrganisationCapability
  /** Any member can do this to themselves: see `EffectiveRoles.self`. */
  orSelf?: true
}

interface ProjectAccess {
  kind: 'project'
  capability: WorkspaceCapability
  tier?: Tier
  /** The path names a record of the project instead of the project itself. */
  through?: 'conversation' | 'report'
}

interface WorkspaceAccess {
  kind: 'workspace'
  /** Null: everyone who has access to the workspace. */
  capability: WorkspaceCapability | null
  /** Owners and admins of the organisation can do this without a role in the workspace. */
  orOrganisation?: OrganisationCapability
  /** Any member can do this to themselves: see `EffectiveRoles.self`. */
  orSelf?: true
  tier?: Tier
}

/** The roles that a caller has for one target. */
export interface EffectiveRoles {
  staff: boolean
  organisationRole: Role | null
  workspaceRole: Role | null
  tier: Tier | null
  /** The path names the caller as the member that it is about. */
  self?: boolean
}

type Decision = 'allowed' | 'not_found' | 'capability_required' | 'tier_required' | 'staff_required'

/**
 * The whole authorization rule, without side effects. `roles` is null where the target does not exist or is deleted. Reach is
 * checked before capability: a caller without any role must not learn that the target exists.
 */
export function authorize(access: Access, roles: EffectiveRoles | null, tierGates: boolean): Decision {
  switch (access.kind) {
    case 'public':
    case 'participant':
    case 'signed_in':
      return 'allowed'
    case 'staff':
      return roles?.staff ? 'allowed' : 'staff_required'
    case 'organisation':
      return authorizeInOrganisation(access, roles)
    case 'workspace':
    case 'project':
      return authorizeInWorkspace(access, roles, tierGates)
  }
}

function authorizeInOrganisation(access: OrganisationAccess, roles: EffectiveRoles | null): Decision {
  if (!roles || !(roles.staff || roles.organisationRole)) return 'not_found'
  const { capability, orSelf } = access
  const { staff, organisationRole, self } = roles
  const isAllowed = staff || organisationRoleHolds(organisationRole, capability) || (orSelf && self)
  return isAllowed ? 'allowed' : 'capability_required'
}

function authorizeInWorkspace(
  access: WorkspaceAccess | ProjectAccess,
  roles: EffectiveRoles | null,
  tierGates: boolean,
): Decision {
  if (!roles || !reachesWorkspace(roles)) return 'not_found'
  if (!hasCapability(access, roles)) return 'capability_required'
  const lacksTier = tierGates && access.tier && !(roles.tier && includesTier(roles.tier, access.tier))
  return lacksTier ? 'tier_required' : 'allowed'
}

/** Any role in the workspace, owner or admin of its organisation, or staff. */
const reachesWorkspace = ({ staff, workspaceRole, organisationRole }: EffectiveRoles): boolean =>
  staff || workspaceRole !== null || organisationRole === 'owner' || organisationRole === 'admin'

function hasCapability(access: WorkspaceAccess | ProjectAccess, roles: EffectiveRoles): boolean {
  if (roles.staff || access.capability === null) return true
  if (workspaceRoleHolds(roles.workspaceRole, access.capability)) return true
  if (access.kind !== 'workspace') return false
  const { orOrganisation, orSelf } = access
  if (orSelf && roles.self && roles.workspaceRole !== null) return true
  return orOrganisation !== undefined && organisationRoleHolds(roles.organisationRole, orOrganisation)
}
