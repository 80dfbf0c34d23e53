const LIMIT_MS = 3_000
const MAX_BYTES = 64 * 1024

export interface JsonResponse {
  status: number
  /** Undefined if the body is not JSON. */
  body: unknown
}

/** One GET to the identity store with a deadline, a size limit and no redirects. Throws without a response. */
export async function fetchJson(url: string, token?: string, limitMs = LIMIT_MS): Promise<JsonResponse> {
  const response = await fetch(url, {
    redirect: 'manual',
    signal: AbortSignal.timeout(limitMs),
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  })
  const text = await readBounded(response)
  try {
    return { status: response.status, body: JSON.parse(text) }
  } catch {
    return { status: response.status, body: undefined }
  }
}

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.length
    if (size > MAX_BYTES) throw new Error('The response of the identity store is too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
