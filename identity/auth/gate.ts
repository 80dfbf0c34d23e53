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
  const queue: Array<() => void> = []
  let underWay = 0

  function turn(): Promise<void> {
    if (queue.length >= waiting) throw unavailable(retryAfterSeconds)
    return new Promise((resolve) => queue.push(resolve))
  }

  /** A place is handed to the next in line, so that a newcomer can't slip in between. */
  function leave(): void {
    const next = queue.shift()
    if (next) next()
    else underWay--
  }

  return {
    async run(work) {
      if (underWay < atOnce) underWay++
      else await turn()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}
