import { type CryptoKey, type JWTHeaderParameters, type JWTPayload, jwtVerify } from 'jose'
import type { Clock } from '../kernel/clock.ts'

/** What a good token says. */
export interface Claims {
  userId: string
  staff: boolean
  /** The store keeps a session for this token, which may have ended. */
  hasSession: boolean
}

/** Where keys come from, and the algorithms that fit them: decided by the configuration, never by the token. */
export interface TokenKeys {
  algorithms: string[]
  find(header: JWTHeaderParameters): Promise<CryptoKey>
}

export interface TokenRules {
  keys: TokenKeys
  issuer: string
  clock: Clock
}

const LEEWAY_SECONDS = 30
/** Year 9999: larger ones, and `1e999` (which JSON reads as infinity), are no dates. */
const LAST_SECOND = 253_402_300_799

/** The token's claims, or null: every cause of refusal looks the same from outside. Unreachable keys throw. */
export async function verifyToken(
  token: string,
  { keys, issuer, clock }: TokenRules,
): Promise<Claims | null> {
  const now = clock.now() / 1000
  const verified = await jwtVerify(token, (header) => keys.find(header as JWTHeaderParameters), {
    algorithms: keys.algorithms,
    issuer,
    requiredClaims: ['exp'],
    clockTolerance: LEEWAY_SECONDS,
    currentDate: new Date(clock.now()),
  }).catch((error: unknown) => {
    if (error instanceof KeysUnavailable) throw error
    return null
  })
  return verified && hasSoundTimes(verified.payload, now) ? toClaims(verified.payload) : null
}

export class KeysUnavailable extends Error {}

function hasSoundTimes({ exp, iat, nbf }: JWTPayload, now: number): boolean {
  const isSecond = (value: unknown): value is number =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= LAST_SECOND
  return (
    isSecond(exp) &&
    (iat === undefined || (isSecond(iat) && iat <= now + LEEWAY_SECONDS)) &&
    (nbf === undefined || isSecond(nbf))
  )
}

/**
 * The store signs other things with the same key: share tokens (`share`), invitations and password resets (`scope`).
 * They name no user, and must never pass for one.
 */
function toClaims(payload: JWTPayload): Claims | null {
  if ('share' in payload || 'scope' in payload) return null
  const userId = payload['id'] ?? payload.sub
  if (typeof userId !== 'string' || userId === '' || userId.length > 255 || userId.includes('\0')) return null
  return {
    userId,
    // Boolean true alone: "true", 1 and {} are not.
    staff: payload['admin_access'] === true,
    hasSession: 'session' in payload,
  }
}
