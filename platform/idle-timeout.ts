/** How often within its limit it is looked: a process that stood still itself counts that as one look. */
const LOOKS = 12

export interface IdleTimeout {
  /** Something came: it begins anew. */
  reset(): void
  stop(): void
}

/** Calls `over` when nothing came for so long, as far as this process was there to see it. */
export function startIdleTimeout(limitMs: number, over: () => void): IdleTimeout {
  let looks = 0
  const look = setInterval(() => {
    if (++looks === LOOKS) over()
  }, limitMs / LOOKS)
  return {
    reset: () => {
      looks = 0
    },
    stop: () => clearInterval(look),
  }
}
