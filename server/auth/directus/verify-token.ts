import type { Clock } from '../../../platform/clock.ts'
import { isUserId } from '../principal.ts'
import type { JsonObject } from './parse-object.ts'

/** The claims of a valid token. */
export interface Claims {
  userId: string
  staff: boolean
  /** The token belongs to a session at the store, which can have ended. */
  hasSession: boolean
}

/** Checks signatures. The accepted algorithms follow from the keys that were configured, never from the token. */
export interface TokenKeys {
  /** The signed payload, or null for an invalid signature. Throws `KeysUnavailable` if it cannot be checked. */
  verify(token: string): Promise<JsonObject | null>
}

export class KeysUnavailable extends Error {}

export interface TokenRules {
  keys: TokenKeys
  issuer: string
  clock: Clock
}

const LEEWAY_SECONDS = 30
/** The end of the year 9999. JSON reads `1e999` as infinity. */
const LAST_SECOND = 253_402_300_799

/** Returns the claims of the token, or null if it is invalid. The reason stays hidden from callers. */
export async function verifyToken(token: string, { keys, issuer, clock }: TokenRules) {
  const payload = await keys.verify(token)
  if (!payload || payload['iss'] !== issuer || !isTimely(payload, clock.now() / 1000)) return null
  return toClaims(payload)
}

/** `exp` is required; `iat` and `nbf` are optional. */
function isTimely({ exp, iat, nbf }: JsonObject, now: number): boolean {
  const begins = (second: unknown) =>
    second === undefined || (isSecond(second) && second <= now + LEEWAY_SECONDS)
  return isSecond(exp) && exp > now - LEEWAY_SECONDS && begins(iat) && begins(nbf)
}

const isSecond = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LAST_SECOND

/** With the same key the store signs share tokens (`share`), invitations and password resets (`scope`), which are not users. */
function toClaims(payload: JsonObject): Claims | null {
  if ('share' in payload || 'scope' in payload) return null
  const userId = payload['id'] ?? payload['sub']
  if (!isUserId(userId)) return null
  return {
    userId,
    // Only the boolean: not "true", 1 or {}.
    staff: payload['admin_access'] === true,
    hasSession: 'session' in payload,
  }
}
