import { setTimeout as pause } from 'node:timers/promises'
import { type ApiRequest, type ApiResponse, sendRequest } from '../framework/api-client.ts'
import type { Random } from '../framework/random.ts'
import type { Waits } from '../framework/waits.ts'

/** How participants reach the API, and what they got from it. */
export interface Network {
  url(): string | undefined
  random: Random
  waits: Waits
  /** How often each status came; 0: no response. */
  statuses: Map<number, number>
  wrongResponses: string[]
}

/** Repeats a request until its response is not a temporary error. */
export type Send = (
  method: string,
  path: string,
  expected: number[],
  request?: ApiRequest,
) => Promise<ApiResponse>

const TIMEOUT_MS = 15_000
const isTemporary = (status: number): boolean => status === 0 || status === 429 || status >= 502

/** Records an unexpected response, and returns it. */
export function createSender(network: Network, credential: Record<string, string> = {}): Send {
  const { url, random, waits, statuses, wrongResponses } = network

  async function retry(method: string, path: string, expected: number[], request: ApiRequest) {
    for (;;) {
      const response = await sendRequest(method, `${url()}/api/participant${path}`, request, TIMEOUT_MS)
      const { status, body } = response
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (expected.includes(status)) return response
      if (!isTemporary(status)) {
        const route = path.replace(/[0-9a-f-]{36}/g, '…')
        wrongResponses.push(`${method} ${route}: ${status} ${JSON.stringify(body)}`)
        if (status !== 500) return response
      }
      await pause(random.between(50, 400))
    }
  }

  return (method, path, expected, request = {}) => {
    const headers = { ...credential, ...request.headers }
    return waits.for(
      `a response to ${method} ${path}`,
      retry(method, path, expected, { ...request, headers }),
    )
  }
}
