import { EventEmitter, once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { scriptedServer } from './servers/scripted-server.ts'

export interface Received {
  headers: IncomingHttpHeaders
  body: Buffer
  path: string
}

/** A real receiver of webhooks on a free port. It records every request. */
export interface Receiver {
  url: string
  received: Received[]
  /** Sends the response; by default 204. */
  respond: (response: ServerResponse, request: Received) => void
  /** Resolves when it has received this number of requests in total. */
  got(count: number): Promise<Received[]>
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const arrivals = new EventEmitter().setMaxListeners(0)
  const server = await scriptedServer(async (response, request) => {
    const body = await buffer(request).catch(() => null)
    // The client closed the connection before the end of the body.
    if (body === null) return
    const received = { headers: request.headers, body, path: request.url ?? '' }
    receiver.received.push(received)
    arrivals.emit('request')
    receiver.respond(response, received)
  })
  const receiver: Receiver = {
    url: server.url,
    received: [],
    respond: (response) => void response.writeHead(204).end(),
    got: async (count) => {
      while (receiver.received.length < count) await once(arrivals, 'request')
      return receiver.received
    },
    close: server.stop,
  }
  return receiver
}
