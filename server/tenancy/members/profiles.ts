import { isUuid } from '../../../platform/ids.ts'
import { invalidInput } from '../../api/problems.ts'
import {
  type IdentityStore,
  identityUnavailable,
  type Principal,
  type Profile,
  StoreUnavailable,
} from '../../auth/index.ts'

type Asker = Pick<Principal, 'userId'>
export type Profiles = ReadonlyMap<string, Profile>

async function readProfiles(store: IdentityStore, asker: Asker, userIds: string[]): Promise<Profiles> {
  // If the caller's id is a UUID, so are all ids of the store. Directus on PostgreSQL responds with 500 to any other id.
  const profiles = await store.profiles(isUuid(asker.userId) ? userIds.filter(isUuid) : userIds)
  return new Map(profiles.map((profile) => [profile.id, profile]))
}

/** Names and addresses by user id, for display. Empty while the store is unavailable, so that lists of members still work. */
export function profilesOf(store: IdentityStore, asker: Asker, userIds: string[]): Promise<Profiles> {
  return readProfiles(store, asker, userIds).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return new Map()
    throw error
  })
}

/** The same where a decision depends on whether the users exist: 503 while the store is unavailable. */
export function requireProfiles(store: IdentityStore, asker: Asker, userIds: string[]): Promise<Profiles> {
  return readProfiles(store, asker, userIds).catch((error: unknown) => {
    throw error instanceof StoreUnavailable ? identityUnavailable() : error
  })
}

/** The profiles of those who did something. An organisation does not learn who works for the service. */
export function actorsOf(
  store: IdentityStore,
  asker: Pick<Principal, 'userId' | 'staff'>,
  rows: readonly { actor_id: string; actor_staff: boolean }[],
): Promise<Profiles> {
  const named = rows.filter(({ actor_staff }) => asker.staff || !actor_staff)
  return profilesOf(store, asker, [...new Set(named.map(({ actor_id }) => actor_id))])
}

/** An invitation belongs to the user who has its e-mail address, in lower case, at the identity store. */
export async function requireEmail(store: IdentityStore, asker: Asker): Promise<string | null> {
  const profile = (await requireProfiles(store, asker, [asker.userId])).get(asker.userId)
  return profile?.email?.trim().toLowerCase() ?? null
}

/** The profile of a user who is about to get a role; 422 for a user id that the store does not know. */
export async function requireUser(store: IdentityStore, asker: Asker, userId: string): Promise<Profile> {
  const profile = (await requireProfiles(store, asker, [userId])).get(userId)
  if (!profile) throw invalidInput({ path: 'user_id', message: 'is not a user of the identity store' })
  return profile
}
