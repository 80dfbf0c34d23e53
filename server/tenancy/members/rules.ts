import { isAbove, type Role, type Standing } from '../../auth/index.ts'
import type { Circle } from './circle.ts'

export interface RoleChange {
  /** The roles that the caller acts by; staff act above all of them. */
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
export function judgeRoleChange({
  own,
  staff,
  from,
  to,
  otherOwnerRemains,
}: RoleChange): 'allowed' | 'capability_required' | 'last_owner' {
  const mayHandle = (role: Role | null) => role === null || staff || own.some((mine) => !isAbove(role, mine))
  if (!mayHandle(from) || !mayHandle(to)) return 'capability_required'
  if (from === 'owner' && to !== 'owner' && !otherOwnerRemains) return 'last_owner'
  return 'allowed'
}

/** An owner or admin of the organisation adds and removes members of a workspace by that role, whatever theirs in the workspace is. */
export function ownRoles(
  circle: Circle,
  { organisationRole, workspaceRole }: Standing,
  byOrganisation: boolean,
): Role[] {
  const roles =
    circle.kind === 'organisation' || byOrganisation ? [organisationRole, workspaceRole] : [workspaceRole]
  return roles.filter((role) => role !== null)
}
