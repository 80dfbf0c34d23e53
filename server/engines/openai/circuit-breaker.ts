/** Leaves a server alone that fails again and again, so that jobs end at once instead of each waiting for it. */
export interface Breaker {
  /** How long the server is to be left alone; 0: go ahead, and tell `succeeded`, `failed` or `gaveUp` afterwards. */
  enter(): number
  succeeded(): void
  failed(): void
  /** Without a verdict: nobody wanted the answer any more. */
  gaveUp(): void
}

const FAILURES = 5
const FIRST_REST_MS = 15_000
const LONGEST_REST_MS = 300_000
/** Another one's probe is under way: its answer may take minutes, asking again is cheap. */
const PROBE_ASK_AGAIN_MS = 5_000

/** `now` in milliseconds, by a clock that never goes back. */
export function createBreaker(now: () => number): Breaker {
  let failures = 0
  let rest = FIRST_REST_MS
  let closedUntil = 0
  let probing = false
  const isOpen = () => failures >= FAILURES
  return {
    enter() {
      if (!isOpen()) return 0
      if (now() < closedUntil) return closedUntil - now()
      if (probing) return PROBE_ASK_AGAIN_MS
      probing = true
      return 0
    },
    succeeded() {
      failures = 0
      rest = FIRST_REST_MS
      probing = false
    },
    failed() {
      // What was under way when it opened says nothing new.
      const isNews = !isOpen() || probing
      failures++
      if (!isOpen() || !isNews) return
      rest = probing ? Math.min(2 * rest, LONGEST_REST_MS) : FIRST_REST_MS
      closedUntil = now() + rest
      probing = false
    },
    gaveUp() {
      probing = false
    },
  }
}
