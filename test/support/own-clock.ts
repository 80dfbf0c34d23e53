import type { Clock } from '../../platform/clock.ts'

/** A clock that moves only when the test says so. */
export interface OwnClock extends Clock {
  advance(seconds: number): void
}

export function ownClock(): OwnClock {
  let now = Date.now()
  return {
    now: () => now,
    advance: (seconds) => {
      now += seconds * 1000
    },
  }
}
