import { limitConcurrency } from '../../platform/concurrency-limit.ts'
import { unavailable } from '../errors.ts'

export type BoundedQueue = <T>(work: () => Promise<T>) => Promise<T>

/** Limits concurrency. Further calls wait in order; if too many wait, it throws a 503. */
export function createBoundedQueue(options: {
  maxRunning: number
  maxWaiting: number
  retryAfterSeconds: number
}): BoundedQueue {
  const limited = limitConcurrency(options.maxRunning)
  let pending = 0
  return async (work) => {
    if (pending >= options.maxRunning + options.maxWaiting) throw unavailable(options.retryAfterSeconds)
    pending++
    return limited(work).finally(() => pending--)
  }
}
