import { hash } from 'node:crypto'
import { createBoundedCache } from '../../../platform/bounded-cache.ts'
import type { Clock } from '../../../platform/clock.ts'
import { type IdentityStore, identityUnavailable, StoreUnavailable } from './client.ts'

/** The store's response about a token. */
export interface Introspection {
  userId: string | null
  staff: boolean
}

const VALID_TTL_MS = 30_000
const INVALID_TTL_MS = 5_000
/** While the store is unavailable, its last response is used for this long. */
const STALE_MS = 5 * 60_000
/**
 * Pause after a failed call for the same token: a store that does not respond takes 3 s, and each request of the caller would
 * wait for it. Per token, so that a token which makes the store fail does not delay other callers.
 */
const PAUSE_MS = 1_000
const MAX_TOKENS = 10_000

interface Entry {
  result: Introspection
  at: number
}

/** Asks the store about tokens and caches its responses. The cache is keyed by SHA-256, so that tokens are not kept in memory. */
export function createIntrospection(
  store: IdentityStore,
  clock: Clock,
): (token: string) => Promise<Introspection> {
  const known = createBoundedCache<string, Entry>({ max: MAX_TOKENS })
  const pending = new Map<string, Promise<Introspection>>()
  const failedAt = createBoundedCache<string, number>({ max: MAX_TOKENS })

  async function ask(key: string, token: string): Promise<Introspection> {
    try {
      const userId = await store.findUserId(token)
      const result = { userId, staff: userId !== null && (await store.isStaff(token)) }
      known.set(key, { result, at: clock.now() })
      return result
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      failedAt.set(key, clock.now())
      return lastResult(key)
    }
  }

  function lastResult(key: string): Introspection {
    const last = known.get(key)
    if (last && clock.now() - last.at <= STALE_MS) return last.result
    throw identityUnavailable()
  }

  return async (token) => {
    const key = hash('sha256', token, 'base64url')
    const entry = known.get(key)
    const freshMs = entry?.result.userId === null ? INVALID_TTL_MS : VALID_TTL_MS
    if (entry && clock.now() - entry.at < freshMs) return entry.result
    if (!pending.has(key) && clock.now() - (failedAt.get(key) ?? 0) < PAUSE_MS) return lastResult(key)
    // A page that opens with ten requests asks the store once.
    const asked = pending.get(key) ?? ask(key, token).finally(() => pending.delete(key))
    pending.set(key, asked)
    return asked
  }
}
