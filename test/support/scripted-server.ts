import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a server answers one request. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void

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

/** Takes the request and never says a word. */
export const hang: Behaviour = () => {}

/** A good head, then silence. */
export const stall: Behaviour = (response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).write('{"data":')

/** Cuts the connection in place of an answer. */
export const reset: Behaviour = (response) => response.socket?.resetAndDestroy()

/** Promises more than it sends. */
export const cutOff: Behaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"data":{"id":"somebody"}')
  setImmediate(() => response.socket?.resetAndDestroy())
}

export interface ScriptedServer {
  url: string
  stop(): Promise<void>
}

/** A real HTTP server on a free port whose answers the test decides. */
export async function scriptedServer(answer: Behaviour): Promise<ScriptedServer> {
  const server = createServer((request, response) => answer(response, request))
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
