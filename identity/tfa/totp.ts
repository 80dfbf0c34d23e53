import { hkdfSync } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { createKeyring, type Keyring } from '../../server/kernel/encryption.ts'
import type { Identity } from '../context.ts'

const STEP_SECONDS = 30
const DIGITS = 6

/** Checking a code needs the secret in plain, so it is sealed at rest, under a key that only this use derives. */
export function tfaKeyring(identitySecret: string): Keyring {
  const key = Buffer.from(
    hkdfSync('sha256', identitySecret, '', 'parley identity: authenticator secrets', 32),
  )
  return createKeyring(`tfa1:${key.toString('base64')}`)
}

/** 160 bits, as RFC 4226 recommends; Directus makes 80. */
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

/** Only the present step counts, and a code may be used again within it: both as Directus does. */
export const isCodeOf = (base32: string, otp: string, now: number): boolean =>
  totpOf(base32).validate({ token: otp, window: 0, timestamp: now }) !== null

/** The user's id is part of the seal, so that rows can't be swapped. A secret that can't be opened lets nobody in. */
export const sealTfaSecret = ({ keyring }: Identity, userId: string, base32: string): string =>
  keyring.encrypt(base32, userId)

export const otpHolds = (
  { keyring, clock }: Identity,
  userId: string,
  sealed: string,
  otp: string,
): boolean => isCodeOf(keyring.decrypt(sealed, userId), otp, clock.now())
