/** Runs work as soon as fewer than `max` others run; the rest waits in order. */
export function limitConcurrency(max: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The place goes to the next in line without becoming free, so that a newcomer can't overtake.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
