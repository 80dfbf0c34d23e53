import { type CryptoKey, createLocalJWKSet, errors, type JSONWebKeySet, type JWTHeaderParameters } from 'jose'
import type { Clock } from '../kernel/clock.ts'
import { fetchJson } from './fetch-json.ts'
import { KeysUnavailable, type TokenKeys } from './verify-token.ts'

/** One secret shared with the store. Header fields like `jwk`, `jku` and `kid` have no say. */
export async function sharedSecretKeys(secret: string): Promise<TokenKeys> {
  // Imported once: handing jose the raw bytes costs another 25 µs on each token.
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'verify',
  ])
  return { algorithms: ['HS256'], find: async () => key }
}

const FRESH_MS = 10 * 60_000
/** Unknown key ids are cheap to invent, so they cause a new download at most this often. */
const COOLDOWN_MS = 30_000
/** A store that is down for longer than a day must not keep old keys alive. */
const STALE_LIMIT_MS = 24 * 3_600_000

type FindKey = ReturnType<typeof createLocalJWKSet>

/** The store's published keys. Asymmetric only: a symmetric key in a public document is a trap. */
export function publishedKeys(url: string, clock: Clock): TokenKeys {
  let find: FindKey | null = null
  let fetchedAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | null = null

  const refresh = (): Promise<void> => {
    triedAt = clock.now()
    underWay ??= fetchKeys(url)
      .then((keys) => {
        find = createLocalJWKSet(keys)
        fetchedAt = clock.now()
      })
      // The old set goes on serving; `current` decides for how long.
      .catch(() => {})
      .finally(() => {
        underWay = null
      })
    return underWay
  }
  const current = (): FindKey => {
    if (!find || clock.now() - fetchedAt > STALE_LIMIT_MS) throw new KeysUnavailable()
    return find
  }
  const mayTry = (): boolean => clock.now() - triedAt >= COOLDOWN_MS

  return {
    algorithms: ['RS256', 'ES256', 'EdDSA'],
    async find(header: JWTHeaderParameters): Promise<CryptoKey> {
      if (underWay) await underWay
      if ((!find || clock.now() - fetchedAt > FRESH_MS) && (mayTry() || !find)) await refresh()
      try {
        return await current()(header)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || !mayTry()) throw error
        await refresh()
        return current()(header)
      }
    },
  }
}

async function fetchKeys(url: string): Promise<JSONWebKeySet> {
  const { status, body } = await fetchJson(url)
  const keys = (body as { keys?: unknown } | null)?.keys
  if (status !== 200 || !Array.isArray(keys)) throw new Error('not a key set')
  return { keys: keys.filter((key) => key?.kty === 'RSA' || key?.kty === 'EC' || key?.kty === 'OKP') }
}
