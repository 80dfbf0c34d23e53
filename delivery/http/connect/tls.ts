import { isIP, type Socket } from 'node:net'
import tls from 'node:tls'
import { withoutDot } from './resolve.ts'

/** Starts TLS on a connection and verifies the certificate against the host name. */
export type StartTls = (socket: Socket, host: string, signal: AbortSignal) => Promise<Socket>

/** Sessions are not resumed, so that groups share nothing. */
export function createStartTls(ca: string[] | undefined): StartTls {
  // Created on first use, because it parses all root certificates.
  let context: tls.SecureContext | undefined
  return (socket, host, signal) => {
    context ??= createContext(ca)
    return handshake(socket, host, context, signal)
  }
}

const createContext = (ca: string[] | undefined): tls.SecureContext =>
  tls.createSecureContext({
    minVersion: 'TLSv1.2',
    ...(ca ? { ca: [...tls.getCACertificates('default'), ...ca] } : {}),
  })

function handshake(
  socket: Socket,
  host: string,
  secureContext: tls.SecureContext,
  signal: AbortSignal,
): Promise<Socket> {
  const name = withoutDot(host)
  return new Promise((resolve, reject) => {
    const secured = tls.connect({
      socket,
      secureContext,
      host: name,
      // RFC 6066: an address is not a server name.
      servername: isIP(name) ? '' : name,
      ALPNProtocols: ['http/1.1'],
      // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED changes the default.
      rejectUnauthorized: true,
    })
    secured.on('error', (error) => {
      socket.destroy()
      reject(error)
    })
    secured.once('secureConnect', () => resolve(secured))
    signal.addEventListener('abort', () => socket.destroy(), { once: true })
  })
}
