import { setTimeout as pause } from 'node:timers/promises'
import { SignJWT } from 'jose'

export interface ApiRequest {
  headers?: Record<string, string>
  json?: unknown
  bytes?: Buffer
}

export interface ApiResponse {
  /** 0: no response, because the API is down, starting or too slow. */
  status: number
  headers: Headers
  text: string
  /** Null when the body is empty or not JSON. The caller knows its shape. */
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
}

export async function sendRequest(
  method: string,
  url: string,
  { headers, json, bytes }: ApiRequest,
  timeoutMs: number,
): Promise<ApiResponse> {
  try {
    const response = await fetch(url, {
      method,
      headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(bytes ? { body: new Uint8Array(bytes) } : {}),
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    const body = /^[{[]/.test(text) ? JSON.parse(text) : null
    return { status: response.status, headers: response.headers, text, body }
  } catch {
    return { status: 0, headers: new Headers(), text: '', body: null }
  }
}

/** A client with an access token, for an API that can be down at any moment. */
export interface ApiClient {
  tryOnce(method: string, path: string, json?: unknown, idempotencyKey?: string): Promise<ApiResponse>
  /** The header of a request that the caller sends itself. */
  authorization(): Promise<string>
  /** Repeats the request with the same idempotency key until the response is not a 5xx. */
  retry(method: string, path: string, json?: unknown, idempotencyKey?: string): Promise<ApiResponse>
}

const TIMEOUT_MS = 5_000
const RETRY_MS = 200

export function createApiClient(
  baseUrl: () => string | undefined,
  identitySecret: string,
  userId: string,
): ApiClient {
  const authorization = async () => `Bearer ${await signToken(identitySecret, userId)}`
  const tryOnce: ApiClient['tryOnce'] = async (method, path, json, idempotencyKey) => {
    const headers = {
      authorization: await authorization(),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    }
    return sendRequest(method, `${baseUrl()}${path}`, { headers, json }, TIMEOUT_MS)
  }
  return {
    tryOnce,
    authorization,
    retry: async (...request) => {
      for (;;) {
        const response = await tryOnce(...request)
        if (response.status > 0 && response.status < 500) return response
        await pause(RETRY_MS)
      }
    },
  }
}

function signToken(identitySecret: string, userId: string): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const claims = { id: userId, role: null, app_access: true, admin_access: false, iss: 'directus' }
  return new SignJWT({ ...claims, iat: now, exp: now + 900 })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(identitySecret))
}
