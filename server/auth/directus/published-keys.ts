import {
  type CompactJWSHeaderParameters,
  type CryptoKey,
  compactVerify,
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
} from 'jose'
import type { Clock } from '../../../platform/clock.ts'
import { fetchJson } from './fetch-json.ts'
import { isCanonical, parseObject } from './parse-object.ts'
import { KeysUnavailable, type TokenKeys } from './verify-token.ts'

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA']
const FRESH_MS = 10 * 60_000
/** Unknown key ids are cheap to invent, so they cause a new download at most this often. */
const COOLDOWN_MS = 30_000
/** Without any keys nothing can be verified, so the next try comes sooner. */
const FIRST_PAUSE_MS = 1_000
/** A store that is down for longer than a day must not keep old keys alive. */
const STALE_LIMIT_MS = 24 * 3_600_000

type FindKey = ReturnType<typeof createLocalJWKSet>

/** The store's published keys. Asymmetric only: a symmetric key in a public document is a trap. */
export function publishedKeys(url: string, clock: Clock): TokenKeys {
  let keys: FindKey | null = null
  let fetchedAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let underWay: Promise<void> | null = null

  const refresh = (): Promise<void> => {
    triedAt = clock.now()
    underWay ??= fetchKeys(url)
      .then((fetched) => {
        keys = createLocalJWKSet(fetched)
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
    if (!keys || clock.now() - fetchedAt > STALE_LIMIT_MS) throw new KeysUnavailable()
    return keys
  }
  const mayTry = (): boolean => clock.now() - triedAt >= (keys ? COOLDOWN_MS : FIRST_PAUSE_MS)

  async function find(header: CompactJWSHeaderParameters) {
    if (underWay) await underWay
    if ((!keys || clock.now() - fetchedAt > FRESH_MS) && mayTry()) await refresh()
    try {
      return await current()(header)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !mayTry()) throw error
      await refresh()
      return current()(header)
    }
  }

  return {
    async verify(token) {
      const parts = token.split('.')
      const [header = '', payload = ''] = parts
      // jose decodes by atob on this Node, which takes many spellings of one signature.
      if (!parts.every(isCanonical)) return null
      // It also understands one critical extension, `b64`, under which the payload is not what we read below.
      if ('crit' in (parseObject(header) ?? {})) return null
      return (await isSigned(token, find)) ? parseObject(payload) : null
    },
  }
}

type KeySource = Parameters<typeof compactVerify>[1]

async function isSigned(token: string, key: KeySource | CryptoKey): Promise<boolean> {
  try {
    await compactVerify(token, key, { algorithms: ALGORITHMS })
    return true
  } catch (error) {
    if (error instanceof KeysUnavailable) throw error
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) return false
    // A store that names no key in its tokens has two of them while it changes from one to the other.
    for await (const candidate of error) if (await isSigned(token, candidate)) return true
    return false
  }
}

async function fetchKeys(url: string): Promise<JSONWebKeySet> {
  const { status, body } = await fetchJson(url)
  const keys = (body as { keys?: unknown } | null)?.keys
  const usable = Array.isArray(keys) ? keys.filter((key) => ['RSA', 'EC', 'OKP'].includes(key?.kty)) : []
  // An empty set is a fault of the store, not a reason to sign everybody out.
  if (status !== 200 || usable.length === 0) throw new Error('not a key set')
  return { keys: usable }
}
