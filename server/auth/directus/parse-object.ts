import { isUtf8 } from 'node:buffer'

/** Decoders also accept padding, spaces and set spare bits, so that one signature could be written in many ways. */
export const isCanonical = (encoded: string): boolean =>
  Buffer.from(encoded, 'base64url').toString('base64url') === encoded

export type JsonObject = Record<string, unknown>
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The object in one base64url part of a token, or null. */
export function parseObject(encoded: string): JsonObject | null {
  try {
    const bytes = Buffer.from(encoded, 'base64url')
    if (!isCanonical(encoded) || !isUtf8(bytes)) return null
    const value: unknown = JSON.parse(bytes.toString())
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
