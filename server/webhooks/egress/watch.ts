/** Half of the shortest thing that is waited for, the grace after a 2xx head. */
const TICK_MS = 12

export interface Watched {
  /** On the clock of `performance.now()`; may change while it is watched. */
  due: number
  expire(): void
}

export interface Watch<T extends Watched> {
  add(watched: T): void
  delete(watched: T): void
  all(): T[]
}

/** Deadlines by one interval for all: a timer or an AbortSignal for each of 15,000 requests a second costs more than sending them. */
export function createWatch<T extends Watched>(): Watch<T> {
  const all = new Set<T>()
  let timer: NodeJS.Timeout | undefined

  function tick(): void {
    const now = performance.now()
    for (const watched of all) if (now >= watched.due) watched.expire()
    if (all.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    add(watched) {
      all.add(watched)
      timer ??= setInterval(tick, TICK_MS)
    },
    delete: (watched) => void all.delete(watched),
    all: () => [...all],
  }
}
