import type { Context, Guarded, IdentityStore, Router } from '../../access/index.ts'
import { type Answer, found } from '../../kernel/answer.ts'
import { cursorKey, type PageQuery, pageOf, pageQuery, toPage } from '../../kernel/page.ts'
import { Problem } from '../../kernel/problems.ts'
import { noBody } from '../../kernel/schema.ts'
import { createMember, deleteMember, updateMember } from './change-members.ts'
import { type Circle, memberIn, membersAfter } from './circle.ts'
import type { MemberChange } from './member-change.ts'
import { profilesOf } from './profiles.ts'
import { Invitation, Member, MemberPatch, NewMember, toMember } from './schema.ts'

type OrganisationMembers = { kind: 'organisation'; capability: 'organisation:members' }
type WorkspaceMembers = {
  kind: 'workspace'
  capability: 'workspace:members'
  orOrganisation?: 'organisation:members'
}

/** One kind of circle: its path, what its routes ask for, and how to find the circle in a request. */
interface Kind<A extends OrganisationMembers | WorkspaceMembers> {
  name: 'Organisation' | 'Workspace'
  url: string
  access: A
  /** Who may add: an organisation's owners and admins may put anybody into its workspaces. */
  addAccess: A
  circleOf(context: Pick<Context<A>, 'target'>): Circle
}

const organisation: Kind<OrganisationMembers> = {
  name: 'Organisation',
  url: '/api/v2/organisations/:oid/members',
  access: { kind: 'organisation', capability: 'organisation:members' },
  addAccess: { kind: 'organisation', capability: 'organisation:members' },
  circleOf: ({ target }) => ({ kind: 'organisation', id: target.id, organisationId: target.id }),
}

const workspace: Kind<WorkspaceMembers> = {
  name: 'Workspace',
  url: '/api/v2/workspaces/:wid/members',
  access: { kind: 'workspace', capability: 'workspace:members' },
  addAccess: { kind: 'workspace', capability: 'workspace:members', orOrganisation: 'organisation:members' },
  circleOf: ({ target }) => ({ kind: 'workspace', id: target.id, organisationId: target.organisation_id }),
}

export function registerMembers(router: Router, store: IdentityStore): void {
  registerKind(router, store, organisation)
  registerKind(router, store, workspace)
}

function registerKind<A extends OrganisationMembers | WorkspaceMembers>(
  router: Router,
  store: IdentityStore,
  kind: Kind<A>,
): void {
  const { url, access, circleOf } = kind
  const tag = `${kind.name}s`
  const one = `${url}/:user_id`
  const changeOf = (context: Context<A>, under: Guarded = access): MemberChange => ({
    circle: circleOf(context),
    access: under,
    context,
  })
  const profileOf = async (userId: string) => (await profilesOf(store, [userId])).get(userId)
  const find = async (context: Context<A>) => {
    if (!(await memberIn(context.db, circleOf(context), userIdOf(context)))) throw new Problem('not_found')
  }

  router.read({
    id: `list${kind.name}Members`,
    summary: `Who holds a role in the ${kind.name.toLowerCase()}`,
    tag,
    url,
    access,
    query: pageQuery,
    answers: { 200: pageOf(Member) },
    read: (context) => listMembers(context, circleOf(context), store),
  })
  router.change({
    id: `create${kind.name}Member`,
    summary: 'Add a user by id (201), or invite somebody by e-mail address (202)',
    tag,
    method: 'POST',
    url,
    access: kind.addAccess,
    body: NewMember,
    answers: { 201: Member, 202: Invitation },
    problems: ['conflict'],
    prepare: async ({ body }) => ('user_id' in body ? profileOf(body.user_id) : undefined),
    change: (context, tx, profile) =>
      createMember(changeOf(context, kind.addAccess), tx, context.body, profile),
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
    prepare: (context) => profileOf(userIdOf(context)),
    change: (context, tx, profile) =>
      updateMember(changeOf(context), tx, userIdOf(context), context.body, profile),
  })
  router.change({
    id: `delete${kind.name}Member`,
    summary: 'Take a role away',
    tag,
    method: 'DELETE',
    url: one,
    access,
    body: noBody,
    answers: { 204: null },
    problems: ['last_owner'],
    find,
    change: (context, tx) => deleteMember(changeOf(context), tx, userIdOf(context)),
  })
}

const userIdOf = ({ params }: Pick<Context, 'params'>): string => params['user_id'] ?? ''

async function listMembers(
  { db, query }: { db: Context['db']; query: PageQuery },
  circle: Circle,
  store: IdentityStore,
): Promise<Answer> {
  const after = cursorKey(query, (key) => key !== '' && !key.includes('\0'))
  const rows = await membersAfter(db, circle, after, query.limit + 1)
  const profiles = await profilesOf(
    store,
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
