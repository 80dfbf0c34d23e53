import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { type BoundedQueue, createBoundedQueue } from './bounded-queue.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Checks the password that a signed-in user confirms. Takes the same time without a stored hash (unknown user, no
   * password), so that the response time reveals nothing.
   */
  verify(stored: string | null, password: string): Promise<boolean>
  /** The same for a login, in a separate queue. */
  verifyLogin(stored: string | null, password: string): Promise<boolean>
}

export interface PasswordCost {
  /** KiB. */
  memoryCost: number
  timeCost: number
  parallelism: number
}

/** argon2id (the default of the library) with the parameters of the OWASP password storage cheat sheet. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Separate queues, so that password changes do not delay logins. */
export interface HashQueues {
  login: BoundedQueue
  account: BoundedQueue
}

/**
 * At most three hashes run at the same time, because each takes 19 MiB and one of libuv's four threads, which DNS and files
 * need too. Two logins at a time are about 50 per second, so the last of 100 waiting logins waits about two seconds.
 */
const passwordQueues = (): HashQueues => ({
  login: createBoundedQueue({ maxRunning: 2, maxWaiting: 100, retryAfterSeconds: 2 }),
  account: createBoundedQueue({ maxRunning: 1, maxWaiting: ACCOUNT_QUEUE_SIZE, retryAfterSeconds: 4 }),
})

/** Above the limits per user (hash-limits.ts), so that one user cannot fill the queue. */
export const ACCOUNT_QUEUE_SIZE = 200

export function createPasswords(cost = PASSWORD_COST, queues = passwordQueues()): Passwords {
  let decoy: Promise<string> | undefined
  const verifyIn = (queue: BoundedQueue) => async (stored: string | null, password: string) => {
    decoy ??= hash(randomBytes(32), cost)
    const against = stored ?? (await decoy)
    const matches = await queue(() => verify(against, password))
    return matches && stored !== null
  }
  return {
    hash: (password) => queues.account(() => hash(password, cost)),
    verify: verifyIn(queues.account),
    verifyLogin: verifyIn(queues.login),
  }
}
