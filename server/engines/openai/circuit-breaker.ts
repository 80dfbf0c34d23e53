const FAILURES = 5
const FIRST_OPEN_MS = 15_000
const DEFAULTS = { now: () => performance.now(), maxOpenMs: 300_000 }
/** The wait while a trial request runs, which can take minutes. */
const TRIAL_RETRY_MS = 5_000

/** Stops calls to a server that fails repeatedly, so that jobs fail fast instead of waiting for it. */
export function createCircuitBreaker(options: { now?: () => number; maxOpenMs?: number } = {}) {
  const { now, maxOpenMs } = { ...DEFAULTS, ...options }
  let failures = 0
  let openMs = FIRST_OPEN_MS
  let openUntil = 0
  let isTrialRunning = false
  const isOpen = () => failures >= FAILURES
  return {
    /** Milliseconds to wait; 0: send the request, then call `succeeded`, `failed` or `cancelled`. */
    enter(): number {
      if (!isOpen()) return 0
      if (now() < openUntil) return openUntil - now()
      if (isTrialRunning) return TRIAL_RETRY_MS
      isTrialRunning = true
      return 0
    },
    succeeded() {
      failures = 0
      openMs = FIRST_OPEN_MS
      isTrialRunning = false
    },
    failed() {
      // Requests that were sent before it opened are ignored.
      const counts = !isOpen() || isTrialRunning
      failures++
      if (!isOpen() || !counts) return
      openMs = isTrialRunning ? Math.min(2 * openMs, maxOpenMs) : FIRST_OPEN_MS
      openUntil = now() + openMs
      isTrialRunning = false
    },
    /** The request was cancelled, and says nothing about the server. */
    cancelled() {
      isTrialRunning = false
    },
  }
}
