import { connect, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { type Receiver, receive } from './receivers.ts'

/** A proxy that serves CONNECT requests and records them. */
export const receiveAsProxy = (
  t: TestContext,
  host?: string,
  greeting = 'HTTP/1.1 200 Connection established\r\n\r\n',
): Promise<Receiver> => receive(t, (socket, request) => tunnel(socket, request, greeting), host)

function tunnel(socket: Socket, request: string, greeting: string): void {
  const [, host = '', port] = /^CONNECT ([^ ]*):(\d+) /.exec(request) ?? []
  const upstream = connect(Number(port), host)
  upstream.on('error', () => socket.destroy())
  socket.on('close', () => upstream.destroy())
  // The following bytes belong to the tunnel and are not parsed as requests.
  socket.removeAllListeners('data')
  upstream.once('connect', () => {
    socket.write(greeting)
    socket.pipe(upstream).pipe(socket)
  })
}
