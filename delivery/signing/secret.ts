import { randomBytes } from 'node:crypto'
import type { Keyring } from '../../platform/encryption.ts'

/** The prefix of a secret in the format of Standard Webhooks; the key follows in base64. */
const PREFIX = 'whsec_'
const KEY_BYTES = 32
const MIN_OK_LENGTH = 16

export const newSecret = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64')

export const strengthOf = (secret: string): 'weak' | 'ok' => (secret.length < MIN_OK_LENGTH ? 'weak' : 'ok')

/** The key of `webhook-signature` (docs/webhooks.md, "Headers and signatures"). */
export const standardKey = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)

/** docs/webhooks.md, "Manage webhooks": any text, but base64 after `whsec_`. */
export function isValidSecret(secret: string): boolean {
  if (!secret.startsWith(PREFIX)) return true
  const encoded = secret.slice(PREFIX.length)
  return encoded !== '' && Buffer.from(encoded, 'base64').toString('base64') === encoded
}

interface Owner {
  id: string
  project_id: string
}

// Bound to the webhook and its project, so that rows can't be swapped; not to the workspace, which can be transferred.
const contextOf = ({ id, project_id }: Owner): string => `webhook:${id}:${project_id}`

export const sealSecret = (keyring: Keyring, owner: Owner, secret: string): string =>
  keyring.encrypt(secret, contextOf(owner))

/** Throws when the keyring has lost the key, or the row was tampered with. */
export const openSecret = (keyring: Keyring, owner: Owner, sealed: string): string =>
  keyring.decrypt(sealed, contextOf(owner))
