import type { z } from 'zod'
import type { Context } from '../../api/route-spec.ts'
import type { IdentityStore } from '../../auth/index.ts'
import { profilesOf } from '../members/profiles.ts'
import { invitationsOf, organisationsOf, workspacesOf } from './memberships.ts'
import type { Me, meQuery } from './schema.ts'

/**
 * The caller, with the first page of their organisations, workspaces and invitations. Without name, address and invitations while
 * the identity store is unavailable.
 */
export async function readMe(
  { db, principal }: Context,
  { limit }: z.output<typeof meQuery>,
  store: IdentityStore,
): Promise<z.output<typeof Me>> {
  const query = { limit, cursor: undefined }
  const { userId, staff } = principal
  const profile = (await profilesOf(store, principal, [userId])).get(userId)
  const email = profile?.email ?? null
  const [organisations, workspaces, invitations] = await Promise.all([
    organisationsOf(db, userId, query),
    workspacesOf(db, userId, query),
    invitationsOf(db, email, query),
  ])
  return {
    user: { id: userId, name: profile?.name ?? null, email },
    staff,
    organisations: organisations.data,
    organisations_next_cursor: organisations.next_cursor,
    workspaces: workspaces.data,
    workspaces_next_cursor: workspaces.next_cursor,
    invitations: invitations.data,
    invitations_next_cursor: invitations.next_cursor,
  }
}
