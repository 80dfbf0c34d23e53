/** Seconds after the first, second, … attempt: 5 s, 1, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h; 11 attempts over 76 hours. */
const WAITS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
const DAY_SECONDS = 86_400
const JITTER = 0.2
/**
 * No retry is scheduled later than this before the delivery expires. An open circuit breaker spaces attempts by up to 10 minutes,
 * and taking over a dead worker's queue needs a few seconds: the last attempt must still be made, not expire while it waits.
 */
const LAST_ATTEMPT_BEFORE_END_MS = 15 * 60_000

export interface Failure {
  /** Of the failed attempt, from 1. */
  number: number
  /** The Retry-After header, if there was one. */
  retryAfter: string | null
  /** Milliseconds since 1970, by the database's clock. */
  now: number
  /** Until the delivery expires. */
  leftMs: number
}

/** Milliseconds until the next attempt, or null when that was the last. `random` is in [0, 1). */
export function nextWait(failure: Failure, random: () => number): number | null {
  const seconds = WAITS[failure.number - 1]
  if (seconds === undefined) return null
  const jittered = seconds * (1 - JITTER + 2 * JITTER * random())
  const requested = retryAfterSeconds(failure.retryAfter, failure.now)
  return beforeEnd(Math.round(Math.max(jittered, requested) * 1000), failure.leftMs)
}

/** With jitter the waits add up to more than 76 hours in almost half of all cases; the last attempt is then made early. */
function beforeEnd(waitMs: number, leftMs: number): number | null {
  const latest = Math.floor(leftMs - LAST_ATTEMPT_BEFORE_END_MS)
  if (latest > 0) return Math.min(waitMs, latest)
  return waitMs < leftMs ? waitMs : null
}

/** Retry-After is a minimum, of at most a day. A value that is neither whole seconds nor a date is ignored. */
function retryAfterSeconds(header: string | null, now: number): number {
  if (header === null) return 0
  const text = header.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : (httpDate(text) - now) / 1000
  return Math.min(Math.max(seconds || 0, 0), DAY_SECONDS)
}

/** `Sun, 06 Nov 1994 08:49:37 GMT` and the two old forms; NaN for anything else (Date alone reads "-1" as a year). */
const httpDate = (text: string): number => (/^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN)
