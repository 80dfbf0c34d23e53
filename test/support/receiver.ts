import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  headers: IncomingHttpHeaders
  body: Buffer
  path: string
}

/** A real receiver of webhooks on a free port, which keeps all that it gets. */
export interface Receiver {
  url: string
  received: Received[]
  /** How it answers; 204 at first. */
  answer: (response: ServerResponse, request: Received) => void
  /** Resolves when so many requests have come in all. */
  got(count: number): Promise<Received[]>
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const one = { headers: request.headers, body: Buffer.concat(parts), path: request.url ?? '' }
      receiver.received.push(one)
      for (const look of waiting) look()
      receiver.answer(response, one)
    })
  })
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: (response) => void response.writeHead(204).end(),
    got: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (receiver.received.length < count) return
          waiting.delete(look)
          resolve(receiver.received)
        }
        waiting.add(look)
        look()
      }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return receiver
}
