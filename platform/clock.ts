/** Time is passed in, so that tests can own it. What is due is decided by the database's clock, never by this one. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
