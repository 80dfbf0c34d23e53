import { createHmac } from 'node:crypto'

/** JSON by hand where a string is given: some attacks can't be written by a serialiser (`1e999`, `__proto__`, one key twice). */
export type Json = string | Record<string, unknown>
type Sign = (input: string) => Buffer | string

export const HS256_HEADER = { alg: 'HS256', typ: 'JWT' }

export const encoded = (json: Json): string =>
  Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)).toString('base64url')

/** A JWT by hand, so that the tests do not trust the library that the backend uses. */
export function forge(header: Json, claims: Json, sign: Sign): string {
  const input = `${encoded(header)}.${encoded(claims)}`
  return `${input}.${toText(sign(input))}`
}

/** Signs what is already encoded, right or wrong. */
export const signed = (input: string, sign: Sign): string => `${input}.${toText(sign(input))}`

const toText = (signature: Buffer | string): string =>
  typeof signature === 'string' ? signature : signature.toString('base64url')

export const hmac =
  (key: string | Buffer, hash = 'sha256'): Sign =>
  (input) =>
    createHmac(hash, key).update(input).digest()
