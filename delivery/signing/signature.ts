import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import type { Keyring } from '../../platform/encryption.ts'
import { openSecret, standardKey } from './secret.ts'

/** The keys of one secret for the two signatures of docs/webhooks.md, "Headers and signatures". */
interface KeyPair {
  plain: KeyObject
  standard: KeyObject
}

/** The keys that sign a webhook's deliveries at this moment. */
export interface SigningKeys {
  version: number
  current: KeyPair
  /** During the overlap of a rotation. */
  previous: KeyPair | null
}

export interface SealedSecrets {
  id: string
  project_id: string
  secret: string | null
  secret_version: number
  /** Null unless its overlap has not ended. */
  previous_secret: string | null
}

/** Null: the webhook has no secret, and its deliveries are unsigned. Throws when the secret can't be decrypted: never send then. */
export function openKeys(keyring: Keyring, row: SealedSecrets): SigningKeys | null {
  if (row.secret === null) return null
  const open = (sealed: string) => keyPair(openSecret(keyring, row, sealed))
  return {
    version: row.secret_version,
    current: open(row.secret),
    previous: row.previous_secret === null ? null : openOrNull(() => open(row.previous_secret as string)),
  }
}

/** A delivery is still sent when only the previous secret can't be decrypted. */
function openOrNull(open: () => KeyPair): KeyPair | null {
  try {
    return open()
  } catch {
    return null
  }
}

const keyPair = (secret: string): KeyPair => ({
  plain: createSecretKey(secret, 'utf8'),
  standard: createSecretKey(standardKey(secret)),
})

export const PREVIOUS_SIGNATURE = 'x-service-signature-previous'
/** In the order of sending; the previous one only during the overlap of a rotation. */
export const SIGNATURE_HEADERS = ['x-service-signature', PREVIOUS_SIGNATURE, 'webhook-signature']

/** The signature headers of one attempt: alternating names and values. */
export function sign(keys: SigningKeys, eventId: string, timestamp: number, body: string): string[] {
  const { current, previous } = keys
  const plain = ({ plain }: KeyPair) => createHmac('sha256', plain).update(body).digest('hex')
  const standard = (pair: KeyPair) =>
    `v1,${createHmac('sha256', pair.standard).update(`${eventId}.${timestamp}.`).update(body).digest('base64')}`
  const headers = ['x-service-signature', plain(current)]
  if (!previous) return [...headers, 'webhook-signature', standard(current)]
  const both = `${standard(current)} ${standard(previous)}`
  return [...headers, PREVIOUS_SIGNATURE, plain(previous), 'webhook-signature', both]
}
