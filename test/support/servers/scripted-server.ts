import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a server responds to one request. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => unknown

export const json =
  (body: unknown, status = 200): Behaviour =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

export const text =
  (body: string, { status = 200, type = 'text/html' } = {}): Behaviour =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body)

export const redirectTo =
  (location: string, status = 302): Behaviour =>
  (response) =>
    response.writeHead(status, { location }).end()

/** Accepts the request and never responds. */
export const hang: Behaviour = () => {}

/** Sends a head and the start of a body, and never ends. */
export const stall: Behaviour = (response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":')

/** Resets the connection without a response. */
export const reset: Behaviour = (response) => response.socket?.resetAndDestroy()

/** Sends less than its Content-Length, then resets the connection. */
export const cutOff: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"data":{"id":"somebody"}')
  setImmediate(() => response.socket?.resetAndDestroy())
}

export interface ScriptedServer {
  url: string
  stop(): Promise<void>
}

/** A real HTTP server on a free port with the behaviour of the test. */
export async function scriptedServer(respond: Behaviour): Promise<ScriptedServer> {
  const server = createServer((request, response) => void respond(response, request))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
