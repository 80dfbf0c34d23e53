import type { z } from 'zod'
import { Problem } from '../../api/problems.ts'
import { audit, authorize, type Role } from '../../auth/index.ts'
import { invite, withdrawInvitations } from './invite.ts'
import { authorizeRoleChange, type MemberChange, ownRoles } from './rules.ts'
import {
  type Invitation,
  type Member,
  type MemberPatch,
  type MemberRow,
  type NewMember,
  toMember,
} from './schema.ts'
import { addMember, lockScope, memberIn, ownersIn, removeMember, rolesIn, setRole } from './scope.ts'

type CreatedMember = { member: z.output<typeof Member> } | { invitation: z.output<typeof Invitation> }

/** Adds a user by id, or invites an e-mail address: the same result whether or not the address has an account. */
export async function createMember(
  change: MemberChange,
  input: z.output<typeof NewMember>,
): Promise<CreatedMember> {
  await requireRight(change, null, input.role)
  if ('email' in input) return { invitation: await invite(change, input.email, input.role) }
  const { user_id: userId, role } = input
  const { scope, limits, profiles } = change
  const member = await addMember(change.context.tx, scope, { userId, role, limits })
  if (!member) throw new Problem('already_member')
  await auditMember(change, 'member.added', member.user_id, { role })
  return { member: toMember(member, profiles.get(member.user_id)) }
}

export async function updateMember(
  change: MemberChange,
  userId: string,
  { role }: z.output<typeof MemberPatch>,
): Promise<z.output<typeof Member>> {
  const member = await requireRight(change, userId, role)
  const profile = change.profiles.get(userId)
  change.context.requireUnchanged(member)
  if (role === undefined || role === member.role) return toMember(member, profile)
  const { scope, context } = change
  await setRole(context.tx, scope, userId, role)
  await withdrawInvitations(context.tx, scope, userId)
  await auditMember(change, 'member.role_changed', userId, { from: member.role, to: role })
  return toMember({ ...member, role }, profile)
}

export async function deleteMember(change: MemberChange, userId: string): Promise<void> {
  const { scope, context } = change
  const member = await requireRight(change, userId, null)
  await removeMember(context.tx, scope, userId)
  await withdrawInvitations(context.tx, scope, userId)
  const action = userId === context.principal.userId ? 'member.left' : 'member.removed'
  await auditMember(change, action, userId, { role: member.role })
}

/** A caller who cannot grant a role cannot withdraw an invitation to it either. */
export async function withdrawInvitation(
  change: MemberChange,
  { id, role, workspace_id }: z.output<typeof Invitation>,
): Promise<void> {
  const { scope, context } = change
  await requireRight(change, null, role)
  const { numDeletedRows } = await context.tx
    .deleteFrom('invitations')
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new Problem('not_found')
  await audit(context.tx, context, {
    action: 'invitation.withdrawn',
    organisationId: scope.organisationId,
    workspaceId: workspace_id,
    target: { kind: 'invitation', id },
    details: { role },
  })
}

/** Checks the right again under the lock. `to` undefined keeps the role; null removes the member. */
async function requireRight(change: MemberChange, userId: null, to: Role): Promise<null>
async function requireRight(change: MemberChange, userId: string, to?: Role | null): Promise<MemberRow>
async function requireRight(change: MemberChange, userId: string | null, to?: Role | null) {
  const { scope, access, context, profiles } = change
  const { tx, principal } = context
  await lockScope(tx, scope)
  const roles = await rolesIn(tx, scope, principal, userId)
  const decision = authorize(access, roles, false)
  if (decision !== 'allowed') throw new Problem(decision)

  const member = userId === null ? null : await memberIn(tx, scope, userId)
  if (member === undefined) throw new Problem('not_found')
  const from = member?.role ?? null
  const roleDecision = authorizeRoleChange({
    own: ownRoles(scope, roles, access.kind === 'workspace' && access.orOrganisation !== undefined),
    staff: roles.staff,
    from,
    to: to === undefined ? from : to,
    // Counts only owners whose profile was read before the lock. A user who became an owner since then does not count, so a
    // concurrent change can be refused although it would be allowed; a retry succeeds.
    otherOwnerRemains: (await ownersIn(tx, scope)).some((id) => id !== userId && profiles.get(id)?.active),
  })
  if (roleDecision !== 'allowed') throw new Problem(roleDecision)
  return member
}

const auditMember = (
  { scope, context }: MemberChange,
  action: string,
  userId: string,
  details: Record<string, unknown>,
): Promise<void> =>
  audit(context.tx, context, {
    action: `${scope.kind}.${action}`,
    organisationId: scope.organisationId,
    workspaceId: scope.kind === 'workspace' ? scope.id : null,
    target: { kind: 'user', id: userId },
    details,
  })
