import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { OpenRequest, TrafficCounter } from './traffic.ts'

/** Shorter than the service keeps an idle connection: a request must not be sent on one that is being closed. */
const agent = new Agent({ keepAlive: true, timeout: 2_000 })
/** Headers that concern one connection, not the request. */
const PER_CONNECTION = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade']

export interface Forwarding {
  /** The address of the cell. */
  baseUrl: string
  /** Null if the request concerns none that is known. */
  organisation: string | null
  traffic: TrafficCounter
  /** Sees the complete response of a small request. */
  onBody?(status: number, body: Buffer): void
}

/** Passes a request to a cell and its response back, both as streams. */
export function forward(incoming: IncomingMessage, outgoing: ServerResponse, of: Forwarding): void {
  const { baseUrl, organisation, traffic, onBody } = of
  /** A status; otherwise the side that ended the request before its response was complete. */
  let outcome = 'ended by the client'
  const endBy = (side: string): void => {
    outcome = `ended by ${side}`
    outgoing.destroy()
  }
  const open: OpenRequest = { isStream: false, cutOff: () => endBy('the router') }
  if (organisation !== null) {
    traffic.begin(organisation, open)
    outgoing.on('close', () => traffic.end(organisation, open, open.isStream ? 'event stream' : outcome))
  }
  const { method, headers, url = '/' } = incoming
  const upstream = request(new URL(url, baseUrl), { method, headers, agent }, (response) => {
    const { statusCode = 502, headers: given } = response
    open.isStream = String(given['content-type']).startsWith('text/event-stream')
    const kept = Object.entries(given).filter(([name]) => !PER_CONNECTION.includes(name))
    outgoing.writeHead(statusCode, Object.fromEntries(kept))
    const parts: Buffer[] = []
    if (onBody) response.on('data', (part: Buffer) => parts.push(part))
    response.on('end', () => {
      outcome = String(statusCode)
      onBody?.(statusCode, Buffer.concat(parts))
    })
    response.pipe(outgoing)
    response.on('error', () => outgoing.closed || endBy('the cell'))
  })
  upstream.on('error', () => outgoing.closed || endBy('the cell'))
  // The client is gone, or the router ended the request.
  outgoing.on('close', () => upstream.destroy())
  incoming.pipe(upstream)
}
