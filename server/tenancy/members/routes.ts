import { z } from 'zod'
import { cursorKey, pageOf, pageQuery, toPage } from '../../api/pagination.ts'
import { Problem } from '../../api/problems.ts'
import { type Answer, found } from '../../api/response.ts'
import { noBody } from '../../api/schema.ts'
import { type Context, type Guarded, type IdentityStore, ROLES, type Router } from '../../auth/index.ts'
import type { Limits } from '../limits.ts'
import { createMember, deleteMember, updateMember } from './change-members.ts'
import { type Circle, memberIn, membersAfter, ownersIn } from './circle.ts'
import type { MemberChange } from './member-change.ts'
import { type Profiles, profilesOf, requireProfiles, requireUser } from './profiles.ts'
import { Invitation, Member, MemberPatch, type MemberRow, NewMember, toMember } from './schema.ts'

type OrganisationMembers = { kind: 'organisation'; capability: 'organisation:members'; orSelf?: true }
type WorkspaceMembers = {
  kind: 'workspace'
  capability: 'workspace:members'
  orOrganisation?: 'organisation:members'
  orSelf?: true
}

/** One kind of circle: its path, what its routes ask for, and how to find the circle in a request. */
interface Kind<A extends OrganisationMembers | WorkspaceMembers> {
  name: 'Organisation' | 'Workspace'
  url: string
  access: A
  /** For listing, adding and removing: an organisation's owners and admins can do that in its workspaces too. */
  organisersAccess: A
  circleOf(context: Pick<Context<A>, 'target'>): Circle
}

const organisation: Kind<OrganisationMembers> = {
  name: 'Organisation',
  url: '/api/v2/organisations/:oid/members',
  access: { kind: 'organisation', capability: 'organisation:members' },
  organisersAccess: { kind: 'organisation', capability: 'organisation:members' },
  circleOf: ({ target }) => ({ kind: 'organisation', id: target.id, organisationId: target.id }),
}

const workspace: Kind<WorkspaceMembers> = {
  name: 'Workspace',
  url: '/api/v2/workspaces/:wid/members',
  access: { kind: 'workspace', capability: 'workspace:members' },
  organisersAccess: {
    kind: 'workspace',
    capability: 'workspace:members',
    orOrganisation: 'organisation:members',
  },
  circleOf: ({ target }) => ({ kind: 'workspace', id: target.id, organisationId: target.organisation_id }),
}

export interface MemberParts {
  store: IdentityStore
  limits: Limits
}

export function registerMembers(router: Router, parts: MemberParts): void {
  registerKind(router, parts, organisation)
  registerKind(router, parts, workspace)
}

function registerKind<A extends OrganisationMembers | WorkspaceMembers>(
  router: Router,
  { store, limits }: MemberParts,
  kind: Kind<A>,
): void {
  const { url, access, organisersAccess, circleOf } = kind
  const removeAccess = { ...organisersAccess, orSelf: true as const }
  const tag = `${kind.name}s` as const
  const one = `${url}/:user_id`
  const changeOf = (context: Context<A>, profiles: Profiles, under: Guarded = access): MemberChange => ({
    circle: circleOf(context),
    access: under,
    context,
    profiles,
    limits,
  })
  const find = async (context: Context<A>): Promise<MemberRow> => {
    const member = await memberIn(context.db, circleOf(context), userIdOf(context))
    if (!member) throw new Problem('not_found')
    return member
  }
  /** An owner can go only while the store knows another one, so that nothing is left to an account that no one can use. */
  const profilesOfOwners = async (context: Context<A>): Promise<Profiles> =>
    requireProfiles(store, context.principal, await ownersIn(context.db, circleOf(context)))

  router.read({
    id: `list${kind.name}Members`,
    summary: `Who holds a role in the ${kind.name.toLowerCase()}`,
    tag,
    url,
    access: organisersAccess,
    query: memberQuery,
    answers: { 200: pageOf(Member) },
    read: (context) => listMembers(context, circleOf(context), store),
  })
  router.change({
    id: `create${kind.name}Member`,
    summary: 'Add a user by id (201), or invite somebody by e-mail address (202)',
    tag,
    method: 'POST',
    url,
    access: organisersAccess,
    body: NewMember,
    answers: { 201: Member, 202: Invitation },
    problems: ['already_member', 'limit_reached'],
    prepare: async ({ body, principal }): Promise<Profiles> =>
      'user_id' in body
        ? new Map([[body.user_id, await requireUser(store, principal, body.user_id)]])
        : new Map(),
    change: (context, tx, profiles) =>
      createMember(changeOf(context, profiles, organisersAccess), tx, context.body),
  })
  router.change({
    id: `update${kind.name}Member`,
    summary: 'Change a role',
    tag,
    method: 'PATCH',
    url: one,
    access,
    body: MemberPatch,
    answers: { 200: Member },
    problems: ['last_owner'],
    find,
    prepare: (context, member) =>
      member.role === 'owner' && (context.body.role ?? 'owner') !== 'owner'
        ? profilesOfOwners(context)
        : profilesOf(store, context.principal, [member.user_id]),
    change: (context, tx, profiles) =>
      updateMember(changeOf(context, profiles), tx, userIdOf(context), context.body),
  })
  router.change({
    id: `delete${kind.name}Member`,
    summary: 'Remove a member, or leave',
    tag,
    method: 'DELETE',
    url: one,
    access: removeAccess,
    body: noBody,
    answers: { 204: null },
    problems: ['last_owner'],
    find,
    prepare: async (context, member): Promise<Profiles> =>
      member.role === 'owner' ? profilesOfOwners(context) : new Map(),
    change: (context, tx, profiles) =>
      deleteMember(changeOf(context, profiles, removeAccess), tx, userIdOf(context)),
  })
}

const memberQuery = pageQuery.extend({
  role: z.enum(ROLES).optional().describe('Only members with this role'),
})

const userIdOf = ({ params }: Pick<Context, 'params'>): string => params['user_id'] ?? ''

async function listMembers(
  { db, query, principal }: Pick<Context, 'db' | 'principal'> & { query: z.output<typeof memberQuery> },
  circle: Circle,
  store: IdentityStore,
): Promise<Answer> {
  const after = cursorKey(query, (key) => key !== '' && !key.includes('\0'))
  const rows = await membersAfter(db, circle, { after, role: query.role, limit: query.limit + 1 })
  const profiles = await profilesOf(
    store,
    principal,
    rows.map((row) => row.user_id),
  )
  return found(
    toPage(
      rows.map((row) => toMember(row, profiles.get(row.user_id))),
      query.limit,
      (member) => member.user_id,
    ),
  )
}
