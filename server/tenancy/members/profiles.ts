import { type IdentityStore, type Profile, StoreUnavailable } from '../../access/index.ts'

/** Names and addresses by user id. While the store is away there are none: roles are ours, and lists go on. */
export async function profilesOf(store: IdentityStore, userIds: string[]): Promise<Map<string, Profile>> {
  const profiles = await store.profiles(userIds).catch((error: unknown) => {
    if (error instanceof StoreUnavailable) return []
    throw error
  })
  return new Map(profiles.map((profile) => [profile.id, profile]))
}
