import { limitConcurrency } from '../../platform/concurrency-limit.ts'
import { unavailable } from '../errors.ts'

/** Runs work, a few pieces at once; the others wait their turn, and when too many wait the caller is turned away. */
export interface Gate {
  run<T>(work: () => Promise<T>): Promise<T>
}

export interface GateOptions {
  /** Pieces of work under way at most. */
  atOnce: number
  /** Pieces that may wait. */
  waiting: number
  retryAfterSeconds: number
}

export function createGate({ atOnce, waiting, retryAfterSeconds }: GateOptions): Gate {
  const inTurn = limitConcurrency(atOnce)
  let admitted = 0
  return {
    async run(work) {
      if (admitted >= atOnce + waiting) throw unavailable(retryAfterSeconds)
      admitted++
      try {
        return await inTurn(work)
      } finally {
        admitted--
      }
    },
  }
}
