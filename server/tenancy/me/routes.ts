import { pageOf, pageQuery } from '../../api/pagination.ts'
import type { Router } from '../../api/router.ts'
import type { IdentityStore } from '../../auth/index.ts'
import { requireEmail } from '../members/profiles.ts'
import { invitationsOf, organisationsOf, workspacesOf } from './memberships.ts'
import { readMe } from './read-me.ts'
import { Me, MyInvitation, MyOrganisation, MyWorkspace, meQuery } from './schema.ts'

const me = '/api/v2/me'
const mine = { tag: 'Me', access: { kind: 'signed_in' } } as const

export function registerMe(router: Router, store: IdentityStore): void {
  router.read({
    id: 'readMe',
    summary: 'Read your identity, memberships and capabilities',
    ...mine,
    url: me,
    query: meQuery,
    responses: { 200: Me },
    read: (context) => readMe(context, context.query, store),
  })
  router.read({
    id: 'listMyOrganisations',
    summary: 'List the organisations in which you have a role, with your capabilities',
    ...mine,
    url: `${me}/organisations`,
    query: pageQuery,
    responses: { 200: pageOf(MyOrganisation) },
    read: ({ db, principal, query }) => organisationsOf(db, principal.userId, query),
  })
  router.read({
    id: 'listMyWorkspaces',
    summary: 'List the workspaces in which you have a role, with your capabilities',
    ...mine,
    url: `${me}/workspaces`,
    query: pageQuery,
    responses: { 200: pageOf(MyWorkspace) },
    read: ({ db, principal, query }) => workspacesOf(db, principal.userId, query),
  })
  router.read({
    id: 'listMyInvitations',
    summary: 'List the invitations to your e-mail address',
    ...mine,
    url: `${me}/invitations`,
    query: pageQuery,
    responses: { 200: pageOf(MyInvitation) },
    read: async ({ db, principal, query }) => invitationsOf(db, await requireEmail(store, principal), query),
  })
}
