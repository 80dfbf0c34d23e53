/** Passed in, so that tests can set the time. The database's clock, not this one, decides when work is due. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
