import { hkdfSync } from 'node:crypto'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { createKeyring, type Keyring } from '../../platform/encryption.ts'
import type { Identity } from '../context.ts'

const STEP_SECONDS = 30
const DIGITS = 6

/** Codes are checked with the plain secret, so it is stored encrypted, with a key derived for this purpose. */
export function tfaKeyring(identitySecret: string): Keyring {
  const key = Buffer.from(
    hkdfSync('sha256', identitySecret, '', 'parley identity: authenticator secrets', 32),
  )
  return createKeyring(`tfa1:${key.toString('base64')}`)
}

/** 160 bits, as RFC 4226 recommends; Directus uses 80. */
export const newTfaSecret = (): string => new Secret({ size: 20 }).base32

export const isTfaSecret = (text: string): boolean => /^[A-Z2-7]{16,128}$/.test(text)

const totpOf = (base32: string, label = ''): TOTP =>
  new TOTP({
    issuer: 'Parley',
    label,
    secret: Secret.fromBase32(base32),
    digits: DIGITS,
    period: STEP_SECONDS,
    algorithm: 'SHA1',
  })

export const otpauthUrl = (base32: string, email: string | null): string =>
  totpOf(base32, email ?? 'user').toString()

/** otpauth throws for six characters with more than six bytes. */
const CODE = /^[0-9]{6}$/

/**
 * The time step of the code, or null. Only the current step is valid, as in Directus. Each code is accepted once (RFC 6238,
 * 5.2), so the caller stores the step with the change that the code allows: see `isUnusedStep`.
 */
export function stepOfCode(base32: string, otp: string, now: number): number | null {
  if (!CODE.test(otp)) return null
  const isValid = totpOf(base32).validate({ token: otp, window: 0, timestamp: now }) !== null
  return isValid ? Math.floor(now / 1000 / STEP_SECONDS) : null
}

/** A condition for the statement that accepts a code: of parallel requests with one code, exactly one succeeds. */
export const isUnusedStep = (step: number) => sql<boolean>`coalesce(last_otp_step < ${step}, true)`

/** The user's id is authenticated too, so that rows can't be swapped. A secret that can't be decrypted prevents sign-in. */
export const sealTfaSecret = ({ keyring }: Identity, userId: string, base32: string): string =>
  keyring.encrypt(base32, userId)

export const stepOfOtp = (
  { keyring, clock }: Identity,
  userId: string,
  sealed: string,
  otp: string,
): number | null => stepOfCode(keyring.decrypt(sealed, userId), otp, clock.now())
