/** Checks per timeout. A process that was suspended itself counts that time as one check. */
const CHECKS = 12

/** Calls `onTimeout` after `timeoutMs` without `reset`, not counting time in which this process did not run. */
export function startIdleTimeout(timeoutMs: number, onTimeout: () => void) {
  let checks = 0
  const timer = setInterval(() => {
    if (++checks === CHECKS) onTimeout()
  }, timeoutMs / CHECKS)
  return {
    reset(): void {
      checks = 0
    },
    stop: (): void => clearInterval(timer),
  }
}
