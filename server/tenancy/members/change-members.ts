import type { z } from 'zod'
import type { Tx } from '../../../database/database.ts'
import { Problem } from '../../api/problems.ts'
import { type Answer, accepted, created, noContent, ok, requireMatch } from '../../api/response.ts'
import { audit, decide, type Role } from '../../auth/index.ts'
import {
  addMember,
  type Circle,
  lockCircle,
  memberIn,
  ownersIn,
  removeMember,
  setRole,
  standingIn,
} from './circle.ts'
import { invite, withdrawInvitations } from './invite.ts'
import type { MemberChange } from './member-change.ts'
import { judgeRoleChange, ownRoles } from './rules.ts'
import { type MemberPatch, type MemberRow, type NewMember, toMember } from './schema.ts'

/** Adds a user by id (201), or invites somebody by e-mail address (202): the same answer whether or not they have an account. */
export async function createMember(
  change: MemberChange,
  tx: Tx,
  body: z.output<typeof NewMember>,
): Promise<Answer> {
  await requireRight(tx, change, null, body.role)
  if ('email' in body) return accepted(await invite(tx, change, body.email, body.role))
  const { user_id: userId, role } = body
  const member = await addMember(tx, change.circle, { userId, role, limits: change.limits })
  if (!member) throw new Problem('already_member')
  await record(tx, change, 'member.added', member.user_id, { role: body.role })
  const location = `${pathOf(change.circle)}/members/${encodeURIComponent(member.user_id)}`
  return created(toMember(member, change.profiles.get(member.user_id)), location, member)
}

export async function updateMember(
  change: MemberChange,
  tx: Tx,
  userId: string,
  { role }: z.output<typeof MemberPatch>,
): Promise<Answer> {
  const member = await requireRight(tx, change, userId, role)
  const profile = change.profiles.get(userId)
  // Name and address are the store's and may be missing for a while: only what is ours makes the tag.
  requireMatch(change.context.ifMatch, member)
  if (role === undefined || role === member.role) return ok(toMember(member, profile), member)
  await setRole(tx, change.circle, userId, role)
  await withdrawInvitations(tx, change.circle, userId)
  await record(tx, change, 'member.role_changed', userId, { from: member.role, to: role })
  const changed = { ...member, role }
  return ok(toMember(changed, profile), changed)
}

export async function deleteMember(change: MemberChange, tx: Tx, userId: string): Promise<Answer> {
  const member = await requireRight(tx, change, userId, null)
  await removeMember(tx, change.circle, userId)
  await withdrawInvitations(tx, change.circle, userId)
  const action = userId === change.context.principal.userId ? 'member.left' : 'member.removed'
  await record(tx, change, action, userId, { role: member.role })
  return noContent()
}

/** Under the lock, by what is true now. `to` undefined leaves the role as it is; null removes. */
async function requireRight(tx: Tx, change: MemberChange, userId: null, to: Role): Promise<null>
async function requireRight(
  tx: Tx,
  change: MemberChange,
  userId: string,
  to: Role | null | undefined,
): Promise<MemberRow>
async function requireRight(
  tx: Tx,
  change: MemberChange,
  userId: string | null,
  to: Role | null | undefined,
): Promise<MemberRow | null> {
  const { circle, access, context, profiles } = change
  await lockCircle(tx, circle)
  const standing = await standingIn(tx, circle, context.principal, userId)
  const verdict = decide(access, standing, false)
  if (verdict !== 'allowed') throw new Problem(verdict)

  const member = userId === null ? null : await memberIn(tx, circle, userId)
  if (member === undefined) throw new Problem('not_found')
  const from = member?.role ?? null
  const judged = judgeRoleChange({
    own: ownRoles(circle, standing, access.kind === 'workspace' && access.orOrganisation !== undefined),
    staff: standing.staff,
    from,
    to: to === undefined ? from : to,
    // Only owners who were asked about count. One who became an owner since then does not, so a change at the same
    // moment can be refused although it would be allowed; it succeeds when it is tried again.
    otherOwnerRemains: (await ownersIn(tx, circle)).some((id) => id !== userId && profiles.get(id)?.active),
  })
  if (judged !== 'allowed') throw new Problem(judged)
  return member
}

async function record(
  tx: Tx,
  { circle, context }: MemberChange,
  action: string,
  userId: string,
  details: Record<string, unknown>,
): Promise<void> {
  await audit(tx, context, {
    action: `${circle.kind}.${action}`,
    organisationId: circle.organisationId,
    workspaceId: circle.kind === 'workspace' ? circle.id : null,
    target: { kind: 'user', id: userId },
    details,
  })
}

const pathOf = ({ kind, id }: Circle): string => `/api/v2/${kind}s/${id}`
