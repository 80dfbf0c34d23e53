import { isIP, type Socket } from 'node:net'
import tls from 'node:tls'
import { withoutDot } from './resolve.ts'

/** TLS over a connection, with the name that the certificate must carry. */
export type Secure = (socket: Socket, host: string, signal: AbortSignal) => Promise<Socket>

/** Sessions are not resumed, so that nothing is shared between groups. */
export function createSecure(ca: string[] | undefined): Secure {
  // Made once, and only when needed: it parses all root certificates.
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
      // RFC 6066: an address is no server name.
      servername: isIP(name) ? '' : name,
      ALPNProtocols: ['http/1.1'],
      // Said aloud, because NODE_TLS_REJECT_UNAUTHORIZED would change the default.
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
