import { randomBytes } from 'node:crypto'
import type { Keyring } from '../../platform/encryption.ts'
import { text } from '../../server/api/schema.ts'

/** As Standard Webhooks writes secrets: the prefix, then the key in base64. */
const PREFIX = 'whsec_'
const KEY_BYTES = 32
const SHORTEST_OK = 16

/** Any string will do, as the specification says; one that claims to be `whsec_` must decode. */
export const Secret = text(1, 256).refine(isReadable, 'must be valid base64 after whsec_')

export const newSecret = (): string => PREFIX + randomBytes(KEY_BYTES).toString('base64')

export const strengthOf = (secret: string): 'weak' | 'ok' => (secret.length < SHORTEST_OK ? 'weak' : 'ok')

/** The key of the Standard Webhooks signature. */
export const standardKey = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)

function isReadable(secret: string): boolean {
  if (!secret.startsWith(PREFIX)) return true
  const encoded = secret.slice(PREFIX.length)
  return encoded !== '' && Buffer.from(encoded, 'base64').toString('base64') === encoded
}

interface Owner {
  id: string
  project_id: string
}

// Tied to the webhook and its project, so that rows can't be swapped; not to the workspace, which may be transferred.
const contextOf = ({ id, project_id }: Owner): string => `webhook:${id}:${project_id}`

export const sealSecret = (keyring: Keyring, owner: Owner, secret: string): string =>
  keyring.encrypt(secret, contextOf(owner))

/** Throws when the key is not in the keyring any more, or the row was tampered with. */
export const openSecret = (keyring: Keyring, owner: Owner, sealed: string): string =>
  keyring.decrypt(sealed, contextOf(owner))
