const LIMIT_MS = 3_000
const MAX_BYTES = 64 * 1024

export interface JsonAnswer {
  status: number
  /** Undefined where the body is no JSON. */
  body: unknown
}

/** One bounded GET to the identity store: a deadline over all of it, no redirects, a small answer. Throws when there is none. */
export async function fetchJson(url: string, token?: string, limitMs = LIMIT_MS): Promise<JsonAnswer> {
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
    if (size > MAX_BYTES) throw new Error('the answer is too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
