/** Runs at most `max` functions at the same time; the others wait in order. */
export function limitConcurrency(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The slot passes to the next one directly, so that a new caller can't overtake.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
