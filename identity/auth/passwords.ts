import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { createGate, type Gate } from './gate.ts'

export interface Passwords {
  hash(password: string): Promise<string>
  /** Does the same work when there is no hash (unknown user, no password), so that the time tells nothing. */
  verify(stored: string | null, password: string): Promise<boolean>
}

export interface PasswordCost {
  /** KiB. */
  memoryCost: number
  timeCost: number
  parallelism: number
}

/** argon2id (the library's default variant) with the parameters that OWASP's password storage sheet names. */
export const PASSWORD_COST: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * A flood of logins must not take all memory (19 MiB each) nor libuv's four threads, which DNS and files need too.
 * Two at once do about 50 a second, so that the last of the queue waits some two seconds.
 */
const passwordGate = (): Gate => createGate({ atOnce: 2, waiting: 100, retryAfterSeconds: 2 })

export function createPasswords(cost: PasswordCost = PASSWORD_COST, gate: Gate = passwordGate()): Passwords {
  const hashOf = (password: string) => gate.run(() => hash(password, cost))
  let decoy: Promise<string> | undefined
  return {
    hash: hashOf,
    async verify(stored, password) {
      decoy ??= hash(randomBytes(32), cost)
      const against = stored ?? (await decoy)
      const matches = await gate.run(() => verify(against, password))
      return matches && stored !== null
    },
  }
}
