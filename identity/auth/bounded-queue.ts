import { limitConcurrency } from '../../platform/concurrency-limit.ts'
import { unavailable } from '../errors.ts'

/** Limits concurrency. Further calls wait in order; if too many wait, `run` throws a 503. */
export interface BoundedQueue {
  run<T>(work: () => Promise<T>): Promise<T>
}

export interface BoundedQueueOptions {
  maxRunning: number
  maxWaiting: number
  retryAfterSeconds: number
}

export function createBoundedQueue({
  maxRunning: atOnce,
  maxWaiting: waiting,
  retryAfterSeconds,
}: BoundedQueueOptions): BoundedQueue {
  const limited = limitConcurrency(atOnce)
  let pending = 0
  return {
    async run(work) {
      if (pending >= atOnce + waiting) throw unavailable(retryAfterSeconds)
      pending++
      try {
        return await limited(work)
      } finally {
        pending--
      }
    },
  }
}
