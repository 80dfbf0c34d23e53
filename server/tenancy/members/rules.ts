import { type EffectiveRoles, isAbove, type Role } from '../../auth/index.ts'
import type { Scope } from './scope.ts'

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

/** A caller can only grant roles up to their own and change members up to their own role; the last owner stays. */
export function authorizeRoleChange({
  own,
  staff,
  from,
  to,
  otherOwnerRemains,
}: RoleChange): 'allowed' | 'capability_required' | 'last_owner' {
  const canAssign = (role: Role | null) => role === null || staff || own.some((mine) => !isAbove(role, mine))
  if (!canAssign(from) || !canAssign(to)) return 'capability_required'
  if (from === 'owner' && to !== 'owner' && !otherOwnerRemains) return 'last_owner'
  return 'allowed'
}

/** Owners and admins of the organisation add and remove members of a workspace by that role, whatever their role in the workspace is. */
export function ownRoles(
  scope: Scope,
  { organisationRole, workspaceRole }: EffectiveRoles,
  byOrganisation: boolean,
): Role[] {
  const roles =
    scope.kind === 'organisation' || byOrganisation ? [organisationRole, workspaceRole] : [workspaceRole]
  return roles.filter((role) => role !== null)
}
