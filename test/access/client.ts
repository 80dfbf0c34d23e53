import { Agent, request } from 'node:http'
import type { Reply } from '../support/backend.ts'

/**
 * A bare HTTP client: a third of the cost of `fetch`, which counts with thousands of requests, and the path goes out
 * as it is, where `fetch` would tidy up `..` and the like.
 */
export interface Client {
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** How many requests there were. */
  sent(): number
  close(): void
}

/** Such an answer never ends by itself: its head is all that is waited for, and the client hangs up. */
const STREAM = 'text/event-stream'

export function clientOf(url: string): Client {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let sent = 0
  return {
    send: (method, path, body, headers = {}) =>
      new Promise((resolve, reject) => {
        sent++
        const raw = typeof body === 'string' || body instanceof Uint8Array
        const text = body === undefined ? undefined : raw ? body : JSON.stringify(body)
        const type = body === undefined || raw ? {} : { 'content-type': 'application/json' }
        const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }
        const outgoing = request(
          { agent, hostname, port, method, path, headers: { ...type, ...length, ...headers } },
          (response) => {
            const chunks: Buffer[] = []
            if (response.headers['content-type']?.startsWith(STREAM)) {
              resolve(toReply(response.statusCode ?? 0, response.rawHeaders, chunks))
              return void response.destroy()
            }
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.on('error', reject)
            response.on('end', () => resolve(toReply(response.statusCode ?? 0, response.rawHeaders, chunks)))
          },
        )
        outgoing.on('error', reject)
        outgoing.end(text)
      }),
    sent: () => sent,
    close: () => agent.destroy(),
  }
}

function toReply(status: number, rawHeaders: string[], chunks: Buffer[]): Reply {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string)
  const text = Buffer.concat(chunks).toString()
  return { status, headers, text, body: parseJson(text) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
