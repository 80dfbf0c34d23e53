import type { Keyring } from '../../platform/encryption.ts'
import { openSecret, standardKey } from './secret.ts'
import { type HmacKey, hmac, hmacKey } from './hmac.ts'

/** The keys of one secret: the specification's header takes the whole text, Standard Webhooks what it encodes. */
interface KeyPair {
  whole: HmacKey
  standard: HmacKey
}

/** What signs a webhook's deliveries at this moment. */
export interface SigningKeys {
  version: number
  current: KeyPair
  /** During a rotation's overlap. */
  previous: KeyPair | null
}

export interface SealedSecrets {
  id: string
  project_id: string
  secret: string | null
  secret_version: number
  /** Null unless its overlap still runs. */
  previous_secret: string | null
}

/** Null: the webhook has no secret, and is sent to unsigned. Throws when the secret can't be read: never send then. */
export function openKeys(keyring: Keyring, row: SealedSecrets): SigningKeys | null {
  if (row.secret === null) return null
  const open = (sealed: string) => keyPair(openSecret(keyring, row, sealed))
  return {
    version: row.secret_version,
    current: open(row.secret),
    previous: row.previous_secret === null ? null : openOrNull(() => open(row.previous_secret as string)),
  }
}

/** An old secret that can't be read is one that nobody can verify by any more; the delivery is signed all the same. */
function openOrNull(open: () => KeyPair): KeyPair | null {
  try {
    return open()
  } catch {
    return null
  }
}

const keyPair = (secret: string): KeyPair => ({
  whole: hmacKey(Buffer.from(secret)),
  standard: hmacKey(standardKey(secret)),
})

export const PREVIOUS_SIGNATURE = 'x-service-signature-previous'
/** In the order in which they are sent; the previous one only during a rotation's overlap. */
export const SIGNATURE_HEADERS = ['x-service-signature', PREVIOUS_SIGNATURE, 'webhook-signature']

/** The signature headers of one attempt, names and values in turn: over the very bytes that are sent. */
export function sign(keys: SigningKeys, eventId: string, timestamp: number, body: string): string[] {
  const { current, previous } = keys
  const standard = (pair: KeyPair) => `v1,${standardSignature(pair.standard, eventId, timestamp, body)}`
  const whole = ['x-service-signature', signature(current.whole, body)]
  if (!previous) return [...whole, 'webhook-signature', standard(current)]
  return [
    ...whole,
    PREVIOUS_SIGNATURE,
    signature(previous.whole, body),
    'webhook-signature',
    `${standard(current)} ${standard(previous)}`,
  ]
}

const signature = (key: HmacKey, body: string): string => hmac(key, '', body, 'hex')

const standardSignature = (key: HmacKey, eventId: string, timestamp: number, body: string): string =>
  hmac(key, `${eventId}.${timestamp}.`, body, 'base64')
