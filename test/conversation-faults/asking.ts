import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../faults/random.ts'
import type { Waits } from '../faults/waits.ts'

/** What all phones heard. */
interface Heard {
  /** How often each status was the answer; 0: there was none. */
  statuses: Map<number, number>
  /** Answers that nobody should get. */
  wrong: string[]
}

/** A phone's way to the participant API. */
export interface Network {
  url(): string | undefined
  random: Random
  heard: Heard
  waits: Waits
}

interface Reply {
  status: number
  headers: Headers
  body: { id?: string; token?: string; missing?: number[] }
}

interface Content {
  json?: object
  bytes?: Buffer
  headers?: Record<string, string>
}

/** Asks until there is an answer that is no mere trouble. */
export type Ask = (method: string, path: string, wanted: number[], content?: Content) => Promise<Reply>

const PATIENCE_MS = 15_000
/** Nothing was said wrongly: try again. */
const isTrouble = (status: number): boolean => status === 0 || status === 429 || status >= 502

/** An answer that is not wanted is noted, and taken as it is. */
export function askerIn(network: Network, credential: Record<string, string> = {}): Ask {
  const { heard, random, waits } = network

  async function insist(method: string, path: string, wanted: number[], content: Content): Promise<Reply> {
    for (;;) {
      const reply = await ask(network, method, path, content)
      heard.statuses.set(reply.status, (heard.statuses.get(reply.status) ?? 0) + 1)
      if (wanted.includes(reply.status)) return reply
      if (!isTrouble(reply.status)) {
        const place = path.replace(/[0-9a-f-]{36}/g, '…')
        heard.wrong.push(`${method} ${place}: ${reply.status} ${JSON.stringify(reply.body)}`)
        if (reply.status !== 500) return reply
      }
      await pause(random.between(50, 400))
    }
  }

  return (method, path, wanted, content = {}) =>
    waits.for(
      `an answer to ${method} ${path}`,
      insist(method, path, wanted, { ...content, headers: { ...credential, ...content.headers } }),
    )
}

async function ask(
  { url }: Network,
  method: string,
  path: string,
  { json, bytes, headers }: Content,
): Promise<Reply> {
  try {
    const response = await fetch(`${url()}/api/participant${path}`, {
      method,
      headers: { ...(json ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(bytes ? { body: new Uint8Array(bytes) } : {}),
      ...(json ? { body: JSON.stringify(json) } : {}),
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return { status: response.status, headers: response.headers, body: toBody(await response.text()) }
  } catch {
    return { status: 0, headers: new Headers(), body: {} }
  }
}

/** What tus refuses is plain text. */
const toBody = (text: string): Reply['body'] =>
  text.startsWith('{') ? (JSON.parse(text) as Reply['body']) : {}
