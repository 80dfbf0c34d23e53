import { createHmac } from 'node:crypto'

/** A string is used as JSON unchanged: some attacks cannot be serialised (`1e999`, `__proto__`, one key twice). */
export type Json = string | Record<string, unknown>
type Sign = (input: string) => Buffer | string

export const HS256_HEADER = { alg: 'HS256', typ: 'JWT' }

export const encoded = (json: Json): string =>
  Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)).toString('base64url')

/** Builds a JWT without the library that the backend uses. */
export function forge(header: Json, claims: Json, sign: Sign): string {
  const input = `${encoded(header)}.${encoded(claims)}`
  return `${input}.${toText(sign(input))}`
}

/** Signs input that is already encoded, valid or not. */
export const signed = (input: string, sign: Sign): string => `${input}.${toText(sign(input))}`

const toText = (signature: Buffer | string): string =>
  typeof signature === 'string' ? signature : signature.toString('base64url')

export const hmac =
  (key: string | Buffer, hash = 'sha256'): Sign =>
  (input) =>
    createHmac(hash, key).update(input).digest()
