import type { ChangeContext } from '../../api/route-spec.ts'
import { type AccountAccess, type EffectiveRoles, isAbove, type Role } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import type { Profiles } from './profiles.ts'
import type { Scope } from './scope.ts'

/** A change of the members of one scope. */
export interface MemberChange {
  scope: Scope
  access: AccountAccess
  context: Pick<ChangeContext, 'principal' | 'requestId' | 'tx' | 'requireUnchanged'>
  /** Profiles of the users that the change depends on, read from the identity store before the transaction. */
  profiles: Profiles
  limits: Limits
}

export interface RoleChange {
  /** The roles by which the caller acts; staff are above all of them. */
  own: Role[]
  staff: boolean
  /** Null: not a member yet. */
  from: Role | null
  /** Null: no longer a member. */
  to: Role | null
  /** Whether another owner remains who can sign in at the identity store. */
  otherOwnerRemains: boolean
}

/** A caller cannot grant a role above their own or change a member above them. The last owner stays. */
export function authorizeRoleChange(change: RoleChange): 'allowed' | 'capability_required' | 'last_owner' {
  const { own, staff, from, to, otherOwnerRemains } = change
  const isWithinReach = (role: Role | null) =>
    role === null || staff || own.some((mine) => !isAbove(role, mine))
  if (!isWithinReach(from) || !isWithinReach(to)) return 'capability_required'
  if (from === 'owner' && to !== 'owner' && !otherOwnerRemains) return 'last_owner'
  return 'allowed'
}

/** The roles by which a caller manages members. Owners and admins of the organisation manage the members of its workspaces, too. */
export function ownRoles(
  scope: Scope,
  { organisationRole, workspaceRole }: EffectiveRoles,
  byOrganisation: boolean,
): Role[] {
  const roles =
    scope.kind === 'organisation' || byOrganisation ? [organisationRole, workspaceRole] : [workspaceRole]
  return roles.filter((role) => role !== null)
}
