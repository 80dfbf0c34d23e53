import type { Clock } from '../platform/clock.ts'
import type { Keyring } from '../platform/encryption.ts'
import type { Logger } from '../platform/log.ts'
import type { AccessTokens } from './auth/access-token.ts'
import type { AddressDigest } from './auth/address-digest.ts'
import type { HashLimits } from './auth/hash-limits.ts'
import type { Passwords } from './auth/passwords.ts'
import type { Settings } from './config.ts'
import type { IdentityDb } from './tables.ts'

/** The dependencies of every operation of the store. */
export interface Identity {
  db: IdentityDb
  settings: Settings
  passwords: Passwords
  hashLimits: HashLimits
  addressDigest: AddressDigest
  accessTokens: AccessTokens
  /** Encrypts authenticator secrets. */
  keyring: Keyring
  clock: Clock
  log: Logger
}
