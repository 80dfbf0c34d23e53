import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { createEgress, type Egress, type EgressOptions } from '../index.ts'

/** A receiver that is a function of a raw connection. */
export interface Receiver {
  port: number
  url: string
  /** All connections, open and closed. */
  sockets: Socket[]
  /** All complete requests, head and body. */
  requests: string[]
}

type OnSocket = (socket: Socket, nth: number) => void
type OnRequest = (socket: Socket, request: string, nth: number) => void

/** Calls back for each new connection. */
export function receiveConnections(
  t: TestContext,
  onSocket: OnSocket,
  host = '127.0.0.1',
): Promise<Receiver> {
  const receiver: Receiver = { port: 0, url: '', sockets: [], requests: [] }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    receiver.sockets.push(socket)
    onSocket(socket, receiver.sockets.length)
  })
  return listen(t, server, receiver, host)
}

/** Calls back for each complete request. */
export async function receive(t: TestContext, onRequest: OnRequest, host?: string): Promise<Receiver> {
  const receiver = await receiveConnections(t, (socket) => readRequests(socket, take), host)
  const take = (socket: Socket, request: string) => {
    receiver.requests.push(request)
    onRequest(socket, request, receiver.requests.length)
  }
  return receiver
}

/** Responds to each request with the same bytes. */
export const receiveWith = (t: TestContext, response: string | Buffer): Promise<Receiver> =>
  receive(t, (socket) => socket.write(response))

/** A valid HTTP response. */
export const rawResponse = (status: string, body = '', ...headers: string[]): string =>
  [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join('\r\n')

export const OK = rawResponse('200 OK', 'ok')

export function readRequests(socket: Socket, onRequest: (socket: Socket, request: string) => void): void {
  let text = ''
  socket.on('data', (data: Buffer) => {
    text += data.toString('latin1')
    const headEnd = text.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (headEnd < 0 || text.length < headEnd + 4 + length) return
    const request = text
    text = ''
    onRequest(socket, request)
  })
}

async function listen(t: TestContext, server: Server, receiver: Receiver, host: string): Promise<Receiver> {
  server.listen(0, host)
  await once(server, 'listening')
  t.after(() => {
    for (const socket of receiver.sockets) socket.destroy()
    server.close()
  })
  receiver.port = (server.address() as AddressInfo).port
  receiver.url = `http://127.0.0.1:${receiver.port}/hook`
  return receiver
}

/** A client that can reach 127.0.0.1 over http:. */
export function openEgress(t: TestContext, options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({ allowHttp: true, allowNetworks: ['127.0.0.1'], proxy: null, ...options })
  t.after(() => egress.close())
  return egress
}

export const requestTo = (url: string, body = '{"id":"1"}') => ({
  url,
  headers: ['content-type', 'application/json', 'x-service-attempt', '1'],
  body,
})

/** One POST that was not aborted. */
export async function post(egress: Egress, url: string, { group = 'a', body = '{}' } = {}) {
  const result = await egress.post(group, requestTo(url, body))
  if (result === null) throw new Error('the request was aborted')
  return result
}

/** Every address that this process dials during a test. */
export function recordDials(t: TestContext): string[] {
  const dials: string[] = []
  const record = (message: unknown) => {
    const { socket } = message as { socket: Socket }
    socket.on('connectionAttempt', (address: string) => dials.push(address))
  }
  subscribe('net.client.socket', record)
  t.after(() => unsubscribe('net.client.socket', record))
  return dials
}

/** Resolves when the client has closed a connection. */
export function untilClosed({ sockets }: Receiver, nth = 0): Promise<void> {
  const socket = sockets[nth]
  if (socket === undefined) throw new Error('there was no such connection')
  return new Promise((resolve) => (socket.destroyed ? resolve() : socket.once('close', () => resolve())))
}

/** Writes a piece repeatedly until the connection closes. */
export function drip(socket: Socket, piece: string, everyMs = 10): void {
  const timer = setInterval(() => socket.write(piece), everyMs)
  socket.on('close', () => clearInterval(timer))
}

/** Writes as fast as it is read, until the connection closes. */
export function flood(socket: Socket, piece: string): void {
  while (!socket.destroyed && socket.write(piece));
  socket.once('drain', () => flood(socket, piece))
}
