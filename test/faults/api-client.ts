import { setTimeout as pause } from 'node:timers/promises'
import { SignJWT } from 'jose'

export interface ApiAnswer {
  status: number
  // Answers of many shapes; whoever asks knows which.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
}

/** Speaks to an API that may be dead, starting, or cut off from its database at any moment. */
export interface ApiClient {
  /** Asks again, with the same key, until there is an answer that is neither an error of the network nor a 5xx. */
  insist(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<ApiAnswer>
  /** Asks once; null where nobody answered in time. */
  try(method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<ApiAnswer | null>
}

const PATIENCE_MS = 5_000
const BREATH_MS = 50

export function apiClient(url: () => string | undefined, identitySecret: string, userId: string): ApiClient {
  const attempt: ApiClient['try'] = async (method, path, body, idempotencyKey) => {
    const base = url()
    if (base === undefined) return null
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${await tokenOf(identitySecret, userId)}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : JSON.parse(text) }
    } catch {
      return null
    }
  }
  return {
    try: attempt,
    insist: async (...request) => {
      for (;;) {
        const answer = await attempt(...request)
        if (answer && answer.status < 500) return answer
        await pause(BREATH_MS)
      }
    },
  }
}

function tokenOf(identitySecret: string, userId: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const claims = { id: userId, role: null, app_access: true, admin_access: false, iss: 'directus' }
  return new SignJWT({ ...claims, iat: now, exp: now + 900 })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(identitySecret))
}
