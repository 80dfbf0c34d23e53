import { LRUCache } from 'lru-cache'

export interface BoundedCacheOptions {
  /** The number of entries to keep: those used last. */
  max: number
  ttl?: number
  updateAgeOnGet?: boolean
}

/**
 * A cache that takes memory only for the entries that it has. With `max` as an option of the library, each cache allocates its arrays
 * for all of them when it is created: 0.6 MB and 4 ms for 20,000 entries, and a process has about 30 caches.
 */
export const createBoundedCache = <Key extends string, Value extends {}>({
  max,
  ...options
}: BoundedCacheOptions): LRUCache<Key, Value> =>
  new LRUCache({ ...options, maxSize: max, sizeCalculation: () => 1 })
