import { connect, isIPv6, type Socket, SocketAddress } from 'node:net'
import type { AddressRule } from './addresses.ts'
import { EgressFailure } from './failure.ts'

/** Opens a TCP connection to a checked address, by itself or through a proxy. Rejects when the signal aborts. */
export type Dial = (address: string, port: number, signal: AbortSignal) => Promise<Socket>

/** Straight to the address, which the kernel must confirm: what was judged is what is talked to. */
export function dialDirectly(rule: AddressRule): Dial {
  return async (address, port, signal) => {
    const socket = await openReusing(address, port, signal)
    const peer = socket.remoteAddress ?? ''
    if (canonical(peer) === canonical(address) && rule.judge(peer) !== 'refused') return socket
    socket.destroy()
    throw new EgressFailure('refused_address', 'other_peer')
  }
}

const OPTIONS = { noDelay: true, autoSelectFamily: false }

export const open = (host: string, port: number, signal: AbortSignal): Promise<Socket> =>
  opened(connect({ ...OPTIONS, host, port, signal }))

const incoming = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * Reads into one buffer for all connections, which is written anew after each `data`: whoever listens copies what is to last.
 * By itself Node makes a buffer for each read, which took a twentieth of a delivery's time. TLS has its own way of reading.
 */
function openReusing(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const callback = (length: number) => {
    socket.emit('data', incoming.subarray(0, length))
    return true
  }
  const socket: Socket = connect({ ...OPTIONS, host, port, signal, onread: { buffer: incoming, callback } })
  return opened(socket)
}

function opened(socket: Socket): Promise<Socket> {
  return new Promise((resolve, reject) => {
    // Stays for the socket's whole life: an error that nobody listens to would end the process.
    socket.on('error', reject)
    socket.once('connect', () => resolve(socket))
  })
}

/** One spelling for each address. */
const canonical = (address: string): string | undefined =>
  SocketAddress.parse(isIPv6(address) ? `[${address}]` : address)?.address
