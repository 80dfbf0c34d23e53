import { isIP, type Socket } from 'node:net'
import type { Resolve } from '../types.ts'
import { type Dial, open } from './dial.ts'

const MAX_HEAD = 8 * 1024
const HEAD_END = '\r\n\r\n'

/** Through EGRESS_PROXY, which gets the checked address and never the name. The proxy's own address is not checked. */
export function dialThroughProxy(proxy: string, resolve: Resolve): Dial {
  const { protocol, hostname, port, username, password } = new URL(proxy)
  if (protocol !== 'http:') throw new Error('EGRESS_PROXY must begin with http://')
  const host = hostname.replace(/^\[|\]$/g, '')
  const authorization = username === '' ? '' : basic(username, password)
  return async (address, targetPort, signal) => {
    const [proxyAddress = host] = isIP(host) ? [host] : await resolve(host, signal)
    const socket = await open(proxyAddress, Number(port || 80), signal)
    const authority = `${isIP(address) === 6 ? `[${address}]` : address}:${targetPort}`
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${authorization}\r\n`)
    await connected(socket, signal)
    return socket
  }
}

function basic(username: string, password: string): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Proxy-Authorization: Basic ${Buffer.from(pair).toString('base64')}\r\n`
}

/** Waits for the proxy's 2xx head, and leaves the bytes after it on the socket. */
async function connected(socket: Socket, signal: AbortSignal): Promise<void> {
  try {
    const head = await readHead(socket, signal)
    if (!/^HTTP\/1\.[01] 2\d\d /.test(`${head.split('\r\n', 1)[0]} `))
      throw new Error('the proxy refused the connection')
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function readHead(socket: Socket, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = ''
    const read = () => {
      const chunk: Buffer | null = socket.read()
      if (chunk === null) return
      head += chunk.toString('latin1')
      const end = head.indexOf(HEAD_END)
      if (end < 0) return head.length > MAX_HEAD ? stop() : undefined
      socket.off('readable', read).off('close', stop)
      const rest = head.slice(end + HEAD_END.length)
      if (rest !== '') socket.unshift(Buffer.from(rest, 'latin1'))
      resolve(head.slice(0, end))
    }
    const stop = () => reject(new Error('the proxy did not respond'))
    socket.on('readable', read).once('close', stop)
    signal.addEventListener('abort', stop, { once: true })
  })
}
