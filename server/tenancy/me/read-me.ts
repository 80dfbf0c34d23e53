import type { z } from 'zod'
import { type Answer, found } from '../../api/response.ts'
import type { Context, IdentityStore } from '../../auth/index.ts'
import { profilesOf } from '../members/profiles.ts'
import { invitationsOf, organisationsOf, workspacesOf } from './memberships.ts'
import type { meQuery } from './schema.ts'

/**
 * Who the caller is, with the first page of what they belong to and are invited to. While the identity store is away the
 * answer has no name, no address and no invitations.
 */
export async function readMe(
  { db, principal, query }: Context<{ kind: 'signed_in' }, undefined, z.output<typeof meQuery>>,
  store: IdentityStore,
): Promise<Answer> {
  const { userId, staff } = principal
  const profile = (await profilesOf(store, principal, [userId])).get(userId)
  const email = profile?.email ?? null
  const [organisations, workspaces, invitations] = await Promise.all([
    organisationsOf(db, userId, query),
    workspacesOf(db, userId, query),
    invitationsOf(db, email, query),
  ])
  return found({
    user: { id: userId, name: profile?.name ?? null, email },
    staff,
    organisations: organisations.data,
    organisations_next_cursor: organisations.next_cursor,
    workspaces: workspaces.data,
    workspaces_next_cursor: workspaces.next_cursor,
    invitations: invitations.data,
    invitations_next_cursor: invitations.next_cursor,
  })
}
