import type { IncomingHttpHeaders } from 'node:http'
import { Agent, type FormData, request } from 'undici'
import { EngineFailure } from '../engine-failure.ts'

export interface ExchangeOptions {
  /** Up to and with the version, as in `https://api.openai.com/v1`: nothing outside of it is ever contacted. */
  baseUrl: string
  /** Null for servers that want none. */
  key: string | null
  maxAnswerBytes: number
}

/** A form is sent as multipart, anything else as JSON. */
export type Payload = FormData | object

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** One request and its whole answer, whatever that says. */
export interface Exchange {
  /** Rejects where there is no answer, for a reason whose `code` may be told and whose message may not. */
  post(path: string, payload: Payload, signal: AbortSignal): Promise<Answer>
  close(): Promise<void>
}

const CONNECT_MS = 10_000

export function createExchange({ baseUrl, key, maxAnswerBytes }: ExchangeOptions): Exchange {
  // Its own limits are on silence, and a model that thinks is silent: the signal is the one limit on time.
  const agent = new Agent({ connect: { timeout: CONNECT_MS }, headersTimeout: 0, bodyTimeout: 0 })
  const root = baseUrl.replace(/\/+$/, '')
  const authorization = key === null ? {} : { authorization: `Bearer ${key}` }
  return {
    async post(path, payload, signal) {
      // Redirects are not followed: the key and what was said are meant for this server alone.
      const { statusCode, headers, body } = await request(`${root}${path}`, {
        method: 'POST',
        dispatcher: agent,
        signal,
        headers: { accept: 'application/json', ...authorization, ...typeOf(payload) },
        body: isForm(payload) ? payload : JSON.stringify(payload),
      })
      return { status: statusCode, headers, text: await readBounded(body, maxAnswerBytes) }
    },
    close: () => agent.destroy(),
  }
}

const isForm = (payload: Payload): payload is FormData => 'getAll' in payload

/** Undici writes the type of a form, with the boundary that it chose. */
const typeOf = (payload: Payload): Record<string, string> =>
  isForm(payload) ? {} : { 'content-type': 'application/json' }

async function readBounded(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > maxBytes) throw new EngineFailure('unavailable', 'the model server answered too much')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
