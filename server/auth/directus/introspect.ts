import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../platform/clock.ts'
import { type IdentityStore, identityUnavailable, StoreUnavailable } from './client.ts'

/** What the store says of a token. */
export interface Introspection {
  userId: string | null
  staff: boolean
}

const GOOD_MS = 30_000
const BAD_MS = 5_000
/** While the store is away, what it said last still counts for this long. */
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

/** Asks the store about tokens, with a short memory keyed by their SHA-256: the tokens themselves are not kept. */
export function createIntrospection(
  store: IdentityStore,
  clock: Clock,
): (token: string) => Promise<Introspection> {
  const known = new LRUCache<string, Entry>({ max: MAX_TOKENS })
  const underWay = new Map<string, Promise<Introspection>>()
  const failedAt = new LRUCache<string, number>({ max: MAX_TOKENS })

  async function ask(key: string, token: string): Promise<Introspection> {
    try {
      const userId = await store.whoIs(token)
      const result = { userId, staff: userId !== null && (await store.isStaff(token)) }
      known.set(key, { result, at: clock.now() })
      return result
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      failedAt.set(key, clock.now())
      return lastAnswer(key)
    }
  }

  function lastAnswer(key: string): Introspection {
    const last = known.get(key)
    if (last && clock.now() - last.at <= STALE_MS) return last.result
    throw identityUnavailable()
  }

  return async (token) => {
    const key = hash('sha256', token, 'base64url')
    const entry = known.get(key)
    const fresh = entry && clock.now() - entry.at < (entry.result.userId === null ? BAD_MS : GOOD_MS)
    if (fresh) return entry.result
    if (!underWay.has(key) && clock.now() - (failedAt.get(key) ?? 0) < PAUSE_MS) return lastAnswer(key)
    // A page that opens with ten requests asks the store once.
    const asked = underWay.get(key) ?? ask(key, token).finally(() => underWay.delete(key))
    underWay.set(key, asked)
    return asked
  }
}
