import type { Clock } from '../../platform/clock.ts'
import { createRateLimit } from '../../platform/limits/rate-limit.ts'
import { requestsExceeded } from '../errors.ts'

/** Limits how many hashes a user can cause per minute. Each method throws a 429 at the limit. */
export interface HashLimits {
  /** The user changes or confirms their own password. */
  ownPassword(userId: string): void
  /** An administrator sets passwords of other users. */
  otherPassword(adminId: string): void
  /** Logins to one account from all addresses together from which it has not signed in before. */
  loginFromNewAddress(email: string): void
}

/** People rarely need more than one. */
export const OWN_PASSWORDS_PER_MINUTE = 10
/** Enough for a script that creates users, and less than the queue holds. */
export const OTHER_PASSWORDS_PER_MINUTE = 60

/** Above the 25 failures that lock these addresses out. A known address is limited by the limit per address alone. */
export const NEW_ADDRESS_LOGINS_PER_MINUTE = 30

export function createHashLimits(enabled: boolean, clock: Clock): HashLimits {
  const limitOf = (perMinute: number) => {
    const limit = createRateLimit({ perMinute, clock })
    return (key: string): void => {
      const seconds = enabled ? limit.take(key) : 0
      if (seconds > 0) throw requestsExceeded(perMinute, seconds, clock.now())
    }
  }
  return {
    ownPassword: limitOf(OWN_PASSWORDS_PER_MINUTE),
    otherPassword: limitOf(OTHER_PASSWORDS_PER_MINUTE),
    loginFromNewAddress: limitOf(NEW_ADDRESS_LOGINS_PER_MINUTE),
  }
}
