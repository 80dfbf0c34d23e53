/** Checks per timeout. A process that was suspended itself counts that time as one check. */
const CHECKS = 12

export interface IdleTimeout {
  reset(): void
  stop(): void
}

/** Calls `onTimeout` after `timeoutMs` without `reset`, not counting time in which this process did not run. */
export function startIdleTimeout(timeoutMs: number, onTimeout: () => void): IdleTimeout {
  let checks = 0
  const timer = setInterval(() => {
    if (++checks === CHECKS) onTimeout()
  }, timeoutMs / CHECKS)
  return {
    reset: () => {
      checks = 0
    },
    stop: () => clearInterval(timer),
  }
}
