import { isUuid } from '../../../platform/ids.ts'
import { newestFirst, pageOf, pageQuery } from '../../api/pagination.ts'
import { Problem } from '../../api/problems.ts'
import { accepted, created } from '../../api/response.ts'
import type { ChangeContext, RouteContext } from '../../api/route-spec.ts'
import type { Router } from '../../api/router.ts'
import { deletion } from '../../api/schema.ts'
import type { AccountAccess, IdentityStore } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { createMember, deleteMember, updateMember, withdrawInvitation } from './change-members.ts'
import { pendingInvitations } from './invite.ts'
import { listMembers, memberQuery } from './list-members.ts'
import { type Profiles, profilesOf, requireProfiles, requireUser } from './profiles.ts'
import type { MemberChange } from './rules.ts'
import { Invitation, Member, MemberPatch, type MemberRow, NewMember } from './schema.ts'
import { memberIn, ownersIn, type Scope } from './scope.ts'

type MembersAccess = Extract<AccountAccess, { kind: 'organisation' | 'workspace' }>
type MembersContext = RouteContext<MembersAccess>

/** The paths and access rules of one kind of scope. */
interface Kind {
  name: 'Organisation' | 'Workspace'
  url: string
  invitationsUrl: string
  access: MembersAccess
  /** For listing, adding and removing: owners and admins of the organisation can do that in its workspaces too. */
  organisersAccess: MembersAccess
}

const IN_ORGANISATION = { kind: 'organisation', capability: 'organisation:members' } as const
const IN_WORKSPACE = { kind: 'workspace', capability: 'workspace:members' } as const

const KINDS: Kind[] = [
  {
    name: 'Organisation',
    url: '/api/v2/organisations/:oid/members',
    invitationsUrl: '/api/v2/organisations/:oid/invitations',
    access: IN_ORGANISATION,
    organisersAccess: IN_ORGANISATION,
  },
  {
    name: 'Workspace',
    url: '/api/v2/workspaces/:wid/members',
    invitationsUrl: '/api/v2/workspaces/:wid/invitations',
    access: IN_WORKSPACE,
    organisersAccess: { ...IN_WORKSPACE, orOrganisation: 'organisation:members' },
  },
]

export interface MemberParts {
  store: IdentityStore
  limits: Limits
}

export function registerMembers(router: Router, parts: MemberParts): void {
  for (const kind of KINDS) registerKind(router, parts, kind)
}

function registerKind(router: Router, { store, limits }: MemberParts, kind: Kind): void {
  const { name, url, invitationsUrl, access, organisersAccess } = kind
  const removeAccess = { ...organisersAccess, orSelf: true as const }
  const tag = `${name}s` as const
  const one = `${url}/:user_id`
  const changeOf = (
    context: MembersContext & ChangeContext,
    profiles: Profiles,
    declared: AccountAccess = access,
  ): MemberChange => ({ scope: scopeOf(context), access: declared, context, profiles, limits })
  const find = async (context: MembersContext): Promise<MemberRow> => {
    const member = await memberIn(context.db, scopeOf(context), userIdOf(context))
    if (!member) throw new Problem('not_found')
    return member
  }
  /** The last owner with an active account stays, so that no scope is left without a user who can manage it. */
  const profilesOfOwners = async (context: MembersContext): Promise<Profiles> =>
    requireProfiles(store, context.principal, await ownersIn(context.db, scopeOf(context)))

  router.read({
    id: `list${name}Members`,
    summary: `List the members of the ${name.toLowerCase()}`,
    tag,
    url,
    access: organisersAccess,
    query: memberQuery,
    responses: { 200: pageOf(Member) },
    read: (context) => listMembers(context, scopeOf(context), context.query, store),
  })
  router.change({
    id: `create${name}Member`,
    summary: 'Add a user by id (201), or invite someone by e-mail address (202)',
    tag,
    method: 'POST',
    url,
    access: organisersAccess,
    body: NewMember,
    responses: { 201: Member, 202: Invitation },
    problems: ['already_member', 'limit_reached'],
    prepare: async ({ body, principal }): Promise<Profiles> =>
      'user_id' in body
        ? new Map([[body.user_id, await requireUser(store, principal, body.user_id)]])
        : new Map(),
    change: (context, _tx, profiles) =>
      createMember(changeOf(context, profiles, organisersAccess), context.body),
    respond: (result, context) => {
      if ('invitation' in result) return accepted(result.invitation)
      const { kind, id } = scopeOf(context)
      const location = `/api/v2/${kind}s/${id}/members/${encodeURIComponent(result.member.user_id)}`
      return created(result.member, location, etagFields(result.member))
    },
  })
  router.change({
    id: `update${name}Member`,
    summary: 'Change the role of a member',
    tag,
    method: 'PATCH',
    url: one,
    access,
    body: MemberPatch,
    responses: { 200: Member },
    problems: ['last_owner'],
    find,
    prepare: (context, member) =>
      member.role === 'owner' && (context.body.role ?? 'owner') !== 'owner'
        ? profilesOfOwners(context)
        : profilesOf(store, context.principal, [member.user_id]),
    change: (context, _tx, profiles) =>
      updateMember(changeOf(context, profiles), userIdOf(context), context.body),
    etag: etagFields,
  })
  router.change({
    id: `delete${name}Member`,
    summary: 'Remove a member, or leave',
    tag,
    ...deletion,
    url: one,
    access: removeAccess,
    problems: ['last_owner'],
    find,
    prepare: async (context, member): Promise<Profiles> =>
      member.role === 'owner' ? profilesOfOwners(context) : new Map(),
    change: (context, _tx, profiles) =>
      deleteMember(changeOf(context, profiles, removeAccess), userIdOf(context)),
  })
  router.read({
    id: `list${name}Invitations`,
    summary: `List the pending invitations to the ${name.toLowerCase()}, newest first`,
    tag,
    url: invitationsUrl,
    access: organisersAccess,
    query: pageQuery,
    responses: { 200: pageOf(Invitation) },
    read: ({ db, query, ...context }) =>
      newestFirst(pendingInvitations(db, scopeOf(context)), query, (row) => row),
  })
  router.change({
    id: `delete${name}Invitation`,
    summary: 'Withdraw an invitation',
    tag,
    ...deletion,
    url: `${invitationsUrl}/:iid`,
    access: organisersAccess,
    find: async (context) => {
      const { iid: id } = context.params
      if (!isUuid(id)) throw new Problem('not_found')
      const found = pendingInvitations(context.db, scopeOf(context)).where('id', '=', id)
      return found.executeTakeFirstOrThrow(() => new Problem('not_found'))
    },
    change: (context, _tx, _prepared, invitation) =>
      withdrawInvitation(changeOf(context, new Map(), organisersAccess), invitation),
  })
}

const scopeOf = ({ target }: Pick<MembersContext, 'target'>): Scope =>
  'organisation_id' in target
    ? { kind: 'workspace', id: target.id, organisationId: target.organisation_id }
    : { kind: 'organisation', id: target.id, organisationId: target.id }

const userIdOf = ({ params }: Pick<RouteContext, 'params'>): string => params['user_id'] ?? ''

/** Name and address belong to the identity store and are missing while it is unavailable. */
const etagFields = ({ user_id, role, created_at }: MemberRow): MemberRow => ({ user_id, role, created_at })
