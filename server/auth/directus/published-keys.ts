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
/** Without keys no token can be verified, so the next attempt is sooner. */
const FIRST_PAUSE_MS = 1_000
/** Keys are not used for longer than a day without being downloaded again. */
const STALE_LIMIT_MS = 24 * 3_600_000

type FindKey = ReturnType<typeof createLocalJWKSet>

/** The public keys of the store. Only asymmetric ones: everyone could sign with a published symmetric key. */
export function publishedKeys(url: string, clock: Clock): TokenKeys {
  let keys: FindKey | null = null
  let fetchedAt = Number.NEGATIVE_INFINITY
  let triedAt = Number.NEGATIVE_INFINITY
  let pending: Promise<void> | null = null

  const refresh = (): Promise<void> => {
    triedAt = clock.now()
    pending ??= fetchKeys(url)
      .then((fetched) => {
        keys = createLocalJWKSet(fetched)
        fetchedAt = clock.now()
      })
      // The old keys stay in use; `current` limits for how long.
      .catch(() => {})
      .finally(() => {
        pending = null
      })
    return pending
  }
  const current = (): FindKey => {
    if (!keys || clock.now() - fetchedAt > STALE_LIMIT_MS) throw new KeysUnavailable()
    return keys
  }
  const canRetry = (): boolean => clock.now() - triedAt >= (keys ? COOLDOWN_MS : FIRST_PAUSE_MS)

  async function find(header: CompactJWSHeaderParameters) {
    if (pending) await pending
    if ((!keys || clock.now() - fetchedAt > FRESH_MS) && canRetry()) await refresh()
    try {
      return await current()(header)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !canRetry()) throw error
      await refresh()
      return current()(header)
    }
  }

  return {
    async verify(token) {
      const parts = token.split('.')
      const [header = '', payload = ''] = parts
      // jose decodes with atob, which accepts several texts for one signature.
      if (!parts.every(isCanonical)) return null
      // jose supports the critical extension `b64`, with which the payload is not the one that is parsed below.
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
    // During a key rotation, a token without `kid` can match two keys.
    for await (const candidate of error) if (await isSigned(token, candidate)) return true
    return false
  }
}

async function fetchKeys(url: string): Promise<JSONWebKeySet> {
  const { status, body } = await fetchJson(url)
  const keys = (body as { keys?: unknown } | null)?.keys
  const usable = Array.isArray(keys) ? keys.filter((key) => ['RSA', 'EC', 'OKP'].includes(key?.kty)) : []
  // An empty set is a fault of the store, and must not sign all users out.
  if (status !== 200 || usable.length === 0) throw new Error('not a key set')
  return { keys: usable }
}
