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

/**
 * A store whose ids are UUIDs is not asked about an id of another shape: no user has it, and Directus on PostgreSQL
 * fails with a 500 at the whole question. The caller's own id, which the store signed, shows the shape.
 */
const possibleIds = ({ userId }: Asker, ids: string[]): string[] =>
  isUuid(userId) ? ids.filter(isUuid) : ids

async function readProfiles(store: IdentityStore, asker: Asker, userIds: string[]): Promise<Profiles> {
  const profiles = await store.profiles(possibleIds(asker, userIds))
  return new Map(profiles.map((profile) => [profile.id, profile]))
}

/** Names and addresses by user id, for display: none while the store is away, since roles are ours and lists must work. */
export function profilesOf(store: IdentityStore, asker: Asker, userIds: string[]): Promise<Profiles> {
  return readProfiles(store, asker, userIds).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return new Map()
    throw error
  })
}

/** The same where a decision depends on whether the users exist: 503 while the store is away. */
export function requireProfiles(store: IdentityStore, asker: Asker, userIds: string[]): Promise<Profiles> {
  return readProfiles(store, asker, userIds).catch((error: unknown) => {
    throw error instanceof StoreUnavailable ? identityUnavailable() : error
  })
}

/** The profile of a user who is about to get a role; 422 for a user id that the store does not know. */
export async function requireUser(store: IdentityStore, asker: Asker, userId: string): Promise<Profile> {
  const profile = (await requireProfiles(store, asker, [userId])).get(userId)
  if (!profile) throw invalidInput({ path: 'user_id', message: 'is not a user of the identity store' })
  return profile
}
