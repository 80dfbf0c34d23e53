import type { Clock } from '../../../platform/clock.ts'
import { isUserId } from '../principal.ts'

/** What a good token says. */
export interface Claims {
  userId: string
  staff: boolean
  /** The store keeps a session for this token, which may have ended. */
  hasSession: boolean
}

export type Payload = Record<string, unknown>

/** Checks signatures. The accepted algorithms follow from the keys that were configured, never from the token. */
export interface TokenKeys {
  /** The signed payload, or null where the signature is not ours. Throws `KeysUnavailable` when that can't be known. */
  verify(token: string): Promise<Payload | null>
}

export class KeysUnavailable extends Error {}

export interface TokenRules {
  keys: TokenKeys
  issuer: string
  clock: Clock
}

const LEEWAY_SECONDS = 30
/** Year 9999: larger ones, and `1e999` (which JSON reads as infinity), are no dates. */
const LAST_SECOND = 253_402_300_799

/** The token's claims, or null: every cause of refusal looks the same from outside. */
export async function verifyToken(
  token: string,
  { keys, issuer, clock }: TokenRules,
): Promise<Claims | null> {
  const payload = await keys.verify(token)
  if (!payload || payload['iss'] !== issuer || !isTimely(payload, clock.now() / 1000)) return null
  return toClaims(payload)
}

/** `exp` is required; `iat` and `nbf` count where they are. */
function isTimely({ exp, iat, nbf }: Payload, now: number): boolean {
  const begins = (second: unknown) =>
    second === undefined || (isSecond(second) && second <= now + LEEWAY_SECONDS)
  return isSecond(exp) && exp > now - LEEWAY_SECONDS && begins(iat) && begins(nbf)
}

const isSecond = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LAST_SECOND

/**
 * The store signs other things with the same key: share tokens (`share`), invitations and password resets (`scope`).
 * They name no user, and must never pass for one.
 */
function toClaims(payload: Payload): Claims | null {
  if ('share' in payload || 'scope' in payload) return null
  const userId = payload['id'] ?? payload['sub']
  if (!isUserId(userId)) return null
  return {
    userId,
    // Boolean true alone: "true", 1 and {} are not.
    staff: payload['admin_access'] === true,
    hasSession: 'session' in payload,
  }
}
