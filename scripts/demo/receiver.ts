import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { ENDPOINTS } from './endpoints.ts'

interface ReceivedDelivery {
  endpoint: string
  type: string
  status: number
  verified: boolean
}

/** A receiver of webhooks as an integrator would write it: it verifies each signature before it reads the body. */
export interface DemoReceiver {
  url: string
  port: number
  secrets: Map<string, string>
  /** The day of the history that is being written: 7 days ago to 0, today. */
  day: number
  onDelivery: (delivery: ReceivedDelivery) => void
  close(): Promise<void>
}

/** Responses take some time, as they do elsewhere. */
const DELAYS_MS = [18, 25, 31, 44, 60, 38, 22, 120]

/** Listens on the port of the last start if it is free, since the webhooks are registered with it. */
export async function startReceiver(port: number): Promise<DemoReceiver> {
  let count = 0
  const receiver: DemoReceiver = {
    url: '',
    port: 0,
    secrets: new Map(),
    day: 0,
    onDelivery: () => {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    await pause(DELAYS_MS[count++ % DELAYS_MS.length])
    const { status, body: responseBody, ...about } = respond(receiver, request, body)
    receiver.onDelivery({ ...about, status })
    response.writeHead(status, responseBody ? { 'content-type': 'application/json' } : {})
    response.end(responseBody && JSON.stringify(responseBody))
  }
  // A request that is cut off gets no response.
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  receiver.port = (server.address() as AddressInfo).port
  receiver.url = `http://127.0.0.1:${receiver.port}`
  return receiver
}

function respond({ secrets, day }: DemoReceiver, { url = '', headers }: IncomingMessage, body: string) {
  const endpoint = ENDPOINTS.find(({ slug }) => url === `/${slug}`)
  const secret = secrets.get(endpoint?.slug ?? '')
  if (!endpoint || secret === undefined)
    return { endpoint: url, type: '', verified: false, status: 404, body: { error: 'Unknown path' } }
  const about = { endpoint: endpoint.name, type: String(headers['x-service-event']) }
  try {
    const event = new Webhook(secret).verify(body, headers as Record<string, string>) as {
      data: { conversation?: { language: string | null } }
    }
    const language = event.data.conversation?.language ?? null
    return { ...about, verified: true, body: undefined, ...endpoint.respond(day, language) }
  } catch {
    return { ...about, verified: false, status: 401, body: { error: 'The signature is wrong' } }
  }
}
