/** The wait after the first, second, … attempt: 5 s, 1, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h. 11 attempts over 76 hours. */
const WAITS_SECONDS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]
export const MAX_ATTEMPTS = WAITS_SECONDS.length + 1
const DAY_SECONDS = 86_400
const JITTER = 0.2
/**
 * A retry is due at least this long before the delivery expires, so that it is made even if it starts late: an open circuit
 * breaker delays it by up to 10 minutes, and taking over the queue of a dead worker by a few seconds.
 */
const EXPIRY_MARGIN_MS = 15 * 60_000

export interface Failure {
  /** The number of the failed attempt, from 1. */
  number: number
  /** The Retry-After header of the response, or null. */
  retryAfter: string | null
  /** Milliseconds since 1970, by the database's clock. */
  now: number
  /** Milliseconds until the delivery expires. */
  leftMs: number
}

/** Milliseconds until the next attempt, or null if there is none. `random` returns a number in [0, 1). */
export function nextWait(failure: Failure, random: () => number): number | null {
  const seconds = WAITS_SECONDS[failure.number - 1]
  if (seconds === undefined) return null
  const jittered = seconds * (1 - JITTER + 2 * JITTER * random())
  const requested = retryAfterSeconds(failure.retryAfter, failure.now)
  return beforeExpiry(Math.round(Math.max(jittered, requested) * 1000), failure.leftMs)
}

/** With jitter, the waits of almost half of all deliveries add up to more than 76 hours; their last attempt is made early. */
function beforeExpiry(waitMs: number, leftMs: number): number | null {
  const latest = Math.floor(leftMs - EXPIRY_MARGIN_MS)
  if (latest > 0) return Math.min(waitMs, latest)
  return waitMs < leftMs ? waitMs : null
}

/** Retry-After can only lengthen a wait, to at most a day. A value that is neither whole seconds nor a date is ignored. */
function retryAfterSeconds(header: string | null, now: number): number {
  if (header === null) return 0
  const text = header.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : (httpDate(text) - now) / 1000
  return Math.min(Math.max(seconds || 0, 0), DAY_SECONDS)
}

/** Parses `Sun, 06 Nov 1994 08:49:37 GMT` and the two obsolete formats; otherwise NaN. `Date.parse` alone accepts "-1" as a year. */
const httpDate = (text: string): number => (/^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN)
