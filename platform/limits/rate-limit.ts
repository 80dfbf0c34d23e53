import { createBoundedCache } from '../bounded-cache.ts'
import type { Clock } from '../clock.ts'

/** A token bucket per key. */
export interface RateLimit {
  /**
   * Takes tokens, one by default. Returns 0 if they were available, else the seconds until they are. A limit that several processes
   * share sometimes has to ask for them.
   */
  take(key: string, tokens?: number): number | Promise<number>
  /** The remaining tokens. Absent if the limit is not shown to clients. */
  status?(key: string): LimitStatus
}

export interface LimitStatus {
  /** The size of the bucket. */
  limit: number
  remaining: number
  /** Seconds until the bucket is full again. */
  resetSeconds: number
}

/** Whether a smaller share remains of the one than of the other. */
export const isTighter = (status: LimitStatus, than: LimitStatus): boolean =>
  status.remaining / status.limit < than.remaining / than.limit

interface Bucket {
  tokens: number
  at: number
}

/** A limit of this process alone. */
export interface LocalRateLimit extends Required<RateLimit> {
  take(key: string, tokens?: number): number
  /** The tokens in the bucket. */
  tokens(key: string): number
}

export interface RateLimitOptions {
  /** The refill rate, and the size of the bucket. */
  perMinute: number
  clock: Clock
  /** The maximum number of keys, so that many addresses can't fill the memory. */
  maxKeys?: number
}

export function createRateLimit({ perMinute, clock, maxKeys = 20_000 }: RateLimitOptions): LocalRateLimit {
  const buckets = createBoundedCache<string, Bucket>({ max: maxKeys })
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
      // A bucket never holds more.
      const tokens = Math.min(wanted, perMinute)
      const bucket = refilled(key)
      buckets.set(key, bucket)
      if (bucket.tokens < tokens) return Math.ceil((tokens - bucket.tokens) / perMs / 1000)
      bucket.tokens -= tokens
      return 0
    },
    tokens: (key) => refilled(key).tokens,
    status(key) {
      const { tokens } = refilled(key)
      const resetSeconds = Math.ceil((perMinute - tokens) / perMs / 1000)
      return { limit: perMinute, remaining: Math.floor(tokens), resetSeconds }
    },
  }
}
