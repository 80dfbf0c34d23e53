import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../platform/clock.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { Problem } from '../api/problems.ts'
import { readCredential } from './credential.ts'
import { type IdentityStore, identityUnavailable } from './directus/client.ts'
import { createIntrospection } from './directus/introspect.ts'
import { KeysUnavailable, type TokenKeys, verifyToken } from './directus/verify-token.ts'
import type { Principal } from './principal.ts'

export interface AuthenticationOptions {
  store: IdentityStore
  keys: TokenKeys
  issuer: string
  cookieName: string
  checkSessions: boolean
  clock: Clock
  metrics: Metrics
}

export interface Authentication {
  /** The caller, or a thrown 401 (one body for every cause) or 503. */
  authenticate(request: IncomingMessage): Promise<Principal>
  /** Also asks the store whether the caller is still staff; the token only says what was true when it was issued. */
  confirmStaff(principal: Principal): Promise<boolean>
}

const unauthenticated = (): Problem =>
  new Problem('unauthenticated', { headers: { 'www-authenticate': 'Bearer' } })

type Identity = Pick<Principal, 'userId' | 'staff'>

export function createAuthentication(options: AuthenticationOptions): Authentication {
  const { store, keys, issuer, cookieName, checkSessions, clock, metrics } = options
  const introspect = createIntrospection(store, clock)

  async function byJwt(token: string): Promise<Identity | null> {
    const claims = await verifyToken(token, { keys, issuer, clock }).catch((error: unknown) => {
      throw error instanceof KeysUnavailable ? identityUnavailable() : error
    })
    if (!claims) return null
    // A session token outlives its logout by up to a day; only the store knows that it ended.
    if (claims.hasSession && checkSessions && (await introspect(token)).userId !== claims.userId) return null
    return { userId: claims.userId, staff: claims.staff }
  }

  async function byStaticToken(token: string): Promise<Identity | null> {
    const { userId, staff } = await introspect(token)
    return userId === null ? null : { userId, staff }
  }

  async function identify(kind: 'jwt' | 'static', token: string): Promise<Identity | null> {
    try {
      const identity = await (kind === 'jwt' ? byJwt(token) : byStaticToken(token))
      metrics.authentication(kind, identity ? 'accepted' : 'rejected')
      return identity
    } catch (error) {
      metrics.authentication(kind, 'unavailable')
      throw error
    }
  }

  return {
    async authenticate(request) {
      const credential = readCredential(request, cookieName)
      if (!credential) {
        metrics.authentication('none', 'rejected')
        throw unauthenticated()
      }
      const identity = await identify(isJwtShaped(credential.token) ? 'jwt' : 'static', credential.token)
      if (!identity) throw unauthenticated()
      return { ...identity, ...credential }
    },
    confirmStaff: async ({ token }) => (await introspect(token)).staff,
  }
}

const isJwtShaped = (token: string): boolean => token.split('.').length === 3
