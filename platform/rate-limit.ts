import { LRUCache } from 'lru-cache'
import type { Clock } from './clock.ts'

/** A token bucket per key. One process counts for itself: the limits guard this process, and are loose enough for that. */
export interface RateLimit {
  /** Takes one token, or as many as given. Returns 0 when they were there, else the seconds until they are. */
  take(key: string, tokens?: number): number
  /** How much is left. Absent: the limit is not shown to clients. */
  status?(key: string): LimitStatus
}

export interface LimitStatus {
  /** Tokens of a full bucket. */
  limit: number
  remaining: number
  /** Seconds until the bucket is full again. */
  resetSeconds: number
}

/** Whether less is left of the one than of the other. */
export const isTighter = (status: LimitStatus, than: LimitStatus): boolean =>
  status.remaining / status.limit < than.remaining / than.limit

interface Bucket {
  tokens: number
  at: number
}

export interface RateLimitOptions {
  /** Tokens that come back in a minute; the bucket holds as many. */
  perMinute: number
  clock: Clock
  /** Keys remembered at most: a flood of addresses must not fill the memory. */
  maxKeys?: number
}

export function createRateLimit({
  perMinute,
  clock,
  maxKeys = 20_000,
}: RateLimitOptions): Required<RateLimit> {
  const buckets = new LRUCache<string, Bucket>({ max: maxKeys })
  const perMs = perMinute / 60_000
  function refilled(key: string): Bucket {
    const now = clock.now()
    const bucket = buckets.get(key) ?? { tokens: perMinute, at: now }
    // A clock that jumps back must not take tokens away.
    bucket.tokens = Math.min(perMinute, bucket.tokens + Math.max(0, now - bucket.at) * perMs)
    bucket.at = now
    return bucket
  }
  return {
    take(key, wanted = 1) {
      // More than a full bucket holds would never be there.
      const tokens = Math.min(wanted, perMinute)
      const bucket = refilled(key)
      buckets.set(key, bucket)
      if (bucket.tokens < tokens) return Math.ceil((tokens - bucket.tokens) / perMs / 1000)
      bucket.tokens -= tokens
      return 0
    },
    status(key) {
      const { tokens } = refilled(key)
      const resetSeconds = Math.ceil((perMinute - tokens) / perMs / 1000)
      return { limit: perMinute, remaining: Math.floor(tokens), resetSeconds }
    },
  }
}
