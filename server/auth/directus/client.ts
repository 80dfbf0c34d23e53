import type { Metrics } from '../../../platform/metrics.ts'
import { Problem } from '../../api/problems.ts'
import { isUserId } from '../principal.ts'
import { fetchJson, type JsonResponse } from './fetch-json.ts'
import { isObject, type JsonObject } from './parse-object.ts'

/** A user at the identity store. */
export interface Profile {
  id: string
  email: string | null
  name: string | null
  /** False for an account that cannot sign in: suspended, archived, or not activated yet. */
  active: boolean
}

/** The HTTP client of the identity store. */
export interface IdentityStore {
  /** The user id of a token, or null if the store refuses the token. */
  findUserId(token: string): Promise<string | null>
  /** Whether the store's admin role applies to the token's user. */
  isStaff(token: string): Promise<boolean>
  /** Uses the token of the backend; omits unknown users. Throws `StoreUnavailable` if the store refuses that token. */
  profiles(userIds: string[]): Promise<Profile[]>
  isUp(): Promise<boolean>
}

/** No response, 429, 5xx, or a body that is not from an identity store. It says nothing about the token. */
export class StoreUnavailable extends Error {}

export const identityUnavailable = (): Problem =>
  new Problem('identity_unavailable', { retryAfterSeconds: 2 })

export interface IdentityStoreOptions {
  /** Null while it is not known yet: the embedded store starts after the backend listens. */
  url(): string | null
  /** The access token of the backend's service user. */
  token: string | undefined
  metrics: Metrics
  /** Timeout of a call in milliseconds; tests on a busy machine use a longer one. */
  limitMs?: number
}

/** Directus 10 has no `/policies/me/globals`: its static tokens work, but are never staff. */
const NO_SUCH_ROUTE = 404
/** Limited by the length of the URL, which contains the ids, and by the size of response that `fetchJson` reads. */
const PROFILES_BATCH_SIZE = 100
/** A readiness probe must not take long itself. */
const PING_LIMIT_MS = 1_000

export function connectIdentityStore(options: IdentityStoreOptions): IdentityStore {
  const { url, token: ownToken, metrics, limitMs } = options

  function urlOf(path: string): string {
    const base = url()
    if (base === null) throw new StoreUnavailable()
    return base.replace(/\/+$/, '') + path
  }

  async function ask(
    path: string,
    token: string | undefined,
    rejectedStatuses = [401, 403],
  ): Promise<JsonResponse> {
    const address = urlOf(path)
    const started = performance.now()
    const response = await fetchJson(address, token, limitMs).catch(() => null)
    const usable =
      response &&
      (response.status === 200 ? hasData(response.body) : rejectedStatuses.includes(response.status))
    const outcome = usable ? (response.status === 200 ? 'ok' : 'refused') : 'unavailable'
    metrics.identityCall(outcome, (performance.now() - started) / 1000)
    if (!usable) throw new StoreUnavailable()
    return response
  }

  async function readProfiles(userIds: string[]): Promise<Profile[]> {
    const ids = userIds.map(encodeURIComponent).join(',')
    const path = `/users?fields=id,email,first_name,last_name,status&limit=-1&filter[id][_in]=${ids}`
    // A 401 or 403 is about the token of the backend, not about the users.
    const { body } = await ask(path, ownToken, [])
    const rows = (body as { data?: unknown }).data
    if (!Array.isArray(rows)) throw new StoreUnavailable()
    return rows.filter(isObject).map(toProfile)
  }

  return {
    async findUserId(token) {
      const { status, body } = await ask('/users/me?fields=id', token)
      const id = status === 200 ? dataOf(body)['id'] : null
      // A share token gets 200 without an id: it belongs to no user.
      return isUserId(id) ? id : null
    },
    async isStaff(token) {
      const { status, body } = await ask('/policies/me/globals', token, [401, 403, NO_SUCH_ROUTE])
      return status === 200 && dataOf(body)['admin_access'] === true
    },
    async profiles(userIds) {
      const batches = Map.groupBy(userIds, (_, index) => Math.floor(index / PROFILES_BATCH_SIZE))
      return (await Promise.all([...batches.values()].map(readProfiles))).flat()
    },
    async isUp() {
      try {
        const signal = AbortSignal.timeout(PING_LIMIT_MS)
        return (await fetch(urlOf('/server/ping'), { signal, redirect: 'manual' })).ok
      } catch {
        return false
      }
    },
  }
}

/** Every successful response of the store has `data`; a proxy's `{"status": "ok"}` must not sign all users out. */
const hasData = (body: unknown): boolean =>
  isObject(body) && typeof body['data'] === 'object' && body['data'] !== null
const dataOf = (body: unknown): JsonObject => (isObject(body) && isObject(body['data']) ? body['data'] : {})

function toProfile(row: JsonObject): Profile {
  const text = (key: string): string | null =>
    typeof row[key] === 'string' && row[key] !== '' ? row[key] : null
  const name = [text('first_name'), text('last_name')].filter(Boolean).join(' ')
  // In a store without `status`, all users can sign in.
  const active = row['status'] === undefined || row['status'] === 'active'
  return { id: text('id') ?? '', email: text('email'), name: name || null, active }
}
