import { isUtf8 } from 'node:buffer'

/**
 * Whether this is THE spelling of its bytes. Decoders also take padding, blanks and set spare bits, by which one signature
 * could be written in many ways.
 */
export const isCanonical = (encoded: string): boolean =>
  Buffer.from(encoded, 'base64url').toString('base64url') === encoded

/** The object in one base64url part of a token, or null. */
export function parseObject(encoded: string): Record<string, unknown> | null {
  try {
    const bytes = Buffer.from(encoded, 'base64url')
    if (!isCanonical(encoded) || !isUtf8(bytes)) return null
    const value: unknown = JSON.parse(bytes.toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
