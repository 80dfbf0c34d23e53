import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type FormData, request } from 'undici'
import { EngineFailure } from '../engine-failure.ts'

export interface HttpOptions {
  /** With the version, as in `https://api.openai.com/v1`. No other address is contacted. */
  baseUrl: string
  /** Null for servers without authentication. */
  key: string | null
  maxResponseBytes: number
}

/** A form is sent as multipart, other payloads as JSON. */
export type Payload = FormData | object

export interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

const CONNECT_MS = 10_000

export function createHttpClient({ baseUrl, key, maxResponseBytes }: HttpOptions) {
  // undici's timeouts limit the time between bytes, and a model can send nothing for minutes. The signal limits the whole request.
  const agent = new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: 0, bodyTimeout: 0 })
  const root = baseUrl.replace(/\/+$/, '')
  const headers = { accept: 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) }
  return {
    /** Rejects if there is no response. Only the `code` of the error is safe to log. */
    async post(path: string, payload: Payload, signal: AbortSignal): Promise<HttpResponse> {
      // Redirects are not followed: the key and the transcript are meant for this server only.
      const response = await request(`${root}${path}`, {
        method: 'POST',
        dispatcher: agent,
        signal,
        // undici sets the content type of a form, with its boundary.
        ...('getAll' in payload
          ? { headers, body: payload }
          : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(payload) }),
      })
      const text = await readBounded(response.body, maxResponseBytes)
      return { status: response.statusCode, headers: response.headers, text }
    },
    close: (): Promise<void> => agent.destroy(),
  }
}

async function readBounded(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > maxBytes) throw new EngineFailure('unavailable', 'the model server’s response is too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
