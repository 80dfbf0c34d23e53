import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Clock } from '../../platform/clock.ts'
import { invalidToken, tokenExpired } from '../errors.ts'

/** The store itself uses only `id` and `session`; the other claims are for other services. */
const claimsSchema = z.object({
  id: z.string().min(1),
  role: z.string().nullable(),
  app_access: z.boolean(),
  admin_access: z.boolean(),
  session: z.string().min(1).optional(),
})
type Claims = z.output<typeof claimsSchema>

export interface AccessTokens {
  sign(claims: Claims, seconds: number): Promise<string>
  /** False for another issuer and for text that is not a JWT; these are looked up as static tokens. */
  isOurs(token: string): boolean
  verify(token: string): Promise<Claims>
}

export function createAccessTokens(secret: string, issuer: string, clock: Clock): AccessTokens {
  const key = new TextEncoder().encode(secret)
  const seconds = () => Math.floor(clock.now() / 1000)
  return {
    sign: (claims, life) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt(seconds())
        .setExpirationTime(seconds() + life)
        .setIssuer(issuer)
        .sign(key),
    isOurs: (token) => issuerOf(token) === issuer,
    verify: (token) => verify(token, key, issuer, clock),
  }
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss
  } catch {
    return undefined
  }
}

async function verify(token: string, key: Uint8Array, issuer: string, clock: Clock): Promise<Claims> {
  try {
    const { payload } = await jwtVerify(token, key, {
      // Pinned: Directus also accepts HS512, and tokens without expiry.
      algorithms: ['HS256'],
      issuer,
      requiredClaims: ['exp'],
      currentDate: new Date(clock.now()),
    })
    return claimsSchema.parse(payload)
  } catch (error) {
    throw error instanceof errors.JWTExpired ? tokenExpired() : invalidToken()
  }
}
