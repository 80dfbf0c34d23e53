import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

export type Keyring = ReturnType<typeof createKeyring>

const NONCE_BYTES = 12
/** Node accepts truncated tags unless the length is pinned (4-byte tags passed on Node 20). */
const TAG_BYTES = 16
const KEY_BYTES = 32

export const newEncryptionKey = (): string => `k1:${randomBytes(KEY_BYTES).toString('base64')}`

/** Reads `id:base64[,older…]`: the first key encrypts, all decrypt. */
export function parseKeyring(text: string): Map<string, Buffer> {
  const keys = new Map<string, Buffer>()
  for (const part of text.split(',')) {
    const [, id, encoded] = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/=]+)\s*$/.exec(part) ?? []
    const key = Buffer.from(encoded ?? '', 'base64')
    if (id === undefined || key.length !== KEY_BYTES)
      throw new Error(
        'must have the form `id:key`, where key is 32 bytes in base64; to keep older keys, append them separated by commas',
      )
    if (keys.has(id)) throw new Error('must not contain the same key id twice')
    keys.set(id, key)
  }
  return keys
}

/** Encrypts small secrets at rest. Additional data ties a ciphertext to its row, so that rows can't be swapped. */
export function createKeyring(text: string) {
  const keys = parseKeyring(text)
  const [current] = keys.keys()
  if (current === undefined) throw new Error('The keyring is empty.')
  return {
    encrypt: (plain: string, context: string) => seal(current, keys.get(current) as Buffer, plain, context),
    /** Throws when the key is unknown, or the ciphertext or its context was altered. */
    decrypt: (sealed: string, context: string) => open(keys, sealed, context),
    /** Keyed hashes to find equal texts without revealing them; one per key, the current key first. */
    fingerprints: (text: string) =>
      keys
        .values()
        .map((key) => createHmac('sha256', key).update(text).digest('base64url'))
        .toArray(),
  }
}

const additionalData = (keyId: string, context: string): Buffer => Buffer.from(`${context}\n${keyId}`)

function seal(keyId: string, key: Buffer, plain: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(additionalData(keyId, context))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `${keyId}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
}

function open(keys: Map<string, Buffer>, sealed: string, context: string): string {
  const [keyId = '', encoded = ''] = sealed.split('.')
  const key = keys.get(keyId)
  if (!key) throw new Error('The ciphertext uses a key that is not in the keyring.')
  const bytes = Buffer.from(encoded, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(additionalData(keyId, context))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}
