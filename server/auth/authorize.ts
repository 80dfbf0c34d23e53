import {
  type OrganisationCapability,
  organisationRoleHolds,
  type Role,
  type WorkspaceCapability,
  workspaceRoleHolds,
} from './capabilities.ts'
import { includesTier, type Tier } from './tiers.ts'

/** What a route asks of its caller. A route without one does not register. */
export type Access =
  | { kind: 'public' }
  | { kind: 'signed_in' }
  | { kind: 'staff' }
  | OrganisationAccess
  | WorkspaceAccess
  | ProjectAccess

/** The access of routes that ask who is calling. */
export type Guarded = Exclude<Access, { kind: 'public' }>

interface OrganisationAccess {
  kind: 'organisation'
  capability: OrganisationCapability
  /** Any member can do this to themselves: see `Standing.self`. */
  orSelf?: true
}

interface ProjectAccess {
  kind: 'project'
  capability: WorkspaceCapability
  tier?: Tier
  /** The path names something of the project instead of the project: whoever can't reach it learns as little. */
  through?: 'conversation' | 'report'
}

interface WorkspaceAccess {
  kind: 'workspace'
  /** Null: whoever can reach the workspace. */
  capability: WorkspaceCapability | null
  /** Owners and admins of the organisation may do this without a role in the workspace. */
  orOrganisation?: OrganisationCapability
  /** Any member can do this to themselves: see `Standing.self`. */
  orSelf?: true
  tier?: Tier
}

/** The caller's standing towards one target. */
export interface Standing {
  staff: boolean
  organisationRole: Role | null
  workspaceRole: Role | null
  tier: Tier | null
  /** The path names the caller as the member that it is about. */
  self?: boolean
}

export type Verdict = 'allowed' | 'not_found' | 'capability_required' | 'tier_required' | 'staff_required'

/**
 * The whole rule, pure: may somebody of this standing do what the route asks? `standing` is null where the target is
 * unknown or deleted. Reach comes before capability, so that whoever may not know of a thing learns nothing.
 */
export function decide(access: Access, standing: Standing | null, tierGates: boolean): Verdict {
  switch (access.kind) {
    case 'public':
    case 'signed_in':
      return 'allowed'
    case 'staff':
      return standing?.staff ? 'allowed' : 'staff_required'
    case 'organisation':
      return decideOrganisation(access, standing)
    case 'workspace':
    case 'project':
      return decideWorkspace(access, standing, tierGates)
  }
}

function decideOrganisation({ capability, orSelf }: OrganisationAccess, standing: Standing | null): Verdict {
  if (!standing || !(standing.staff || standing.organisationRole)) return 'not_found'
  const { staff, organisationRole, self } = standing
  const isAllowed = staff || organisationRoleHolds(organisationRole, capability) || (orSelf && self)
  return isAllowed ? 'allowed' : 'capability_required'
}

function decideWorkspace(
  access: Extract<Access, { kind: 'workspace' | 'project' }>,
  standing: Standing | null,
  tierGates: boolean,
): Verdict {
  if (!standing || !reachesWorkspace(standing)) return 'not_found'
  if (!mayInWorkspace(access, standing)) return 'capability_required'
  const lacksTier = tierGates && access.tier && !(standing.tier && includesTier(standing.tier, access.tier))
  return lacksTier ? 'tier_required' : 'allowed'
}

/** Any role in the workspace, owner or admin of its organisation, or staff. */
const reachesWorkspace = ({ staff, workspaceRole, organisationRole }: Standing): boolean =>
  staff || workspaceRole !== null || organisationRole === 'owner' || organisationRole === 'admin'

function mayInWorkspace(
  access: Extract<Access, { kind: 'workspace' | 'project' }>,
  standing: Standing,
): boolean {
  if (standing.staff || access.capability === null) return true
  if (workspaceRoleHolds(standing.workspaceRole, access.capability)) return true
  if (access.kind !== 'workspace') return false
  const { orOrganisation, orSelf } = access
  if (orSelf && standing.self && standing.workspaceRole !== null) return true
  return orOrganisation !== undefined && organisationRoleHolds(standing.organisationRole, orOrganisation)
}
