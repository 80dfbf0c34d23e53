import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { createGate, type Gate } from './gate.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Checks the password that a signed-in user confirms. Does the same work when there is no stored hash (unknown user, no
   * password), so that the time reveals nothing.
   */
  verify(stored: string | null, password: string): Promise<boolean>
  /** The same for a login, which never waits for the other two. */
  verifyLogin(stored: string | null, password: string): Promise<boolean>
}

export interface PasswordCost {
  /** KiB. */
  memoryCost: number
  timeCost: number
  parallelism: number
}

/** argon2id (the library's default variant) with the parameters that OWASP's password storage sheet names. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Logins have a queue of their own: signed-in users who change passwords must not delay anybody's sign-in. */
export interface HashQueues {
  login: Gate
  account: Gate
}

/**
 * A flood must not take all memory (19 MiB per hash) nor libuv's four threads, which DNS and files need too: three hashes
 * run at once. Two logins at once are about 50 a second, so the last of 100 waiting logins waits some two seconds.
 */
const passwordQueues = (): HashQueues => ({
  login: createGate({ atOnce: 2, waiting: 100, retryAfterSeconds: 2 }),
  account: createGate({ atOnce: 1, waiting: ACCOUNT_QUEUE_SIZE, retryAfterSeconds: 4 }),
})

/** More than one user can enqueue in a burst (see hash-limits.ts), so that one user cannot fill the queue. */
export const ACCOUNT_QUEUE_SIZE = 200

export function createPasswords(
  cost: PasswordCost = PASSWORD_COST,
  queues: HashQueues = passwordQueues(),
): Passwords {
  let decoy: Promise<string> | undefined
  const verifyIn = (queue: Gate) => async (stored: string | null, password: string) => {
    decoy ??= hash(randomBytes(32), cost)
    const against = stored ?? (await decoy)
    const matches = await queue.run(() => verify(against, password))
    return matches && stored !== null
  }
  return {
    hash: (password) => queues.account.run(() => hash(password, cost)),
    verify: verifyIn(queues.account),
    verifyLogin: verifyIn(queues.login),
  }
}
