import { connect, isIPv6, type Socket, SocketAddress } from 'node:net'
import type { AddressPolicy } from './addresses.ts'
import { EgressFailure } from './failure.ts'

/** Opens a TCP connection to a checked address, directly or through a proxy. Rejects when the signal aborts. */
export type Dial = (address: string, port: number, signal: AbortSignal) => Promise<Socket>

/** The peer address that the kernel reports must be the one that was checked. */
export function dialDirectly(policy: AddressPolicy): Dial {
  return async (address, port, signal) => {
    const socket = await openWithSharedBuffer(address, port, signal)
    const peer = socket.remoteAddress ?? ''
    if (canonical(peer) === canonical(address) && policy.classify(peer) !== 'refused') return socket
    socket.destroy()
    throw new EgressFailure('refused_address', 'other_peer')
  }
}

const OPTIONS = { noDelay: true, autoSelectFamily: false }

export const open = (host: string, port: number, signal: AbortSignal): Promise<Socket> =>
  whenConnected(connect({ ...OPTIONS, host, port }), signal)

const sharedBuffer = Buffer.allocUnsafeSlow(64 * 1024)

/**
 * Reads into one buffer for all connections. It is overwritten after each `data`, so listeners copy what they keep. Node's
 * new buffer per read took 5 % of the time of a delivery. TLS connections do not use it.
 */
function openWithSharedBuffer(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  const callback = (length: number) => {
    socket.emit('data', sharedBuffer.subarray(0, length))
    return true
  }
  const socket: Socket = connect({ ...OPTIONS, host, port, onread: { buffer: sharedBuffer, callback } })
  return whenConnected(socket, signal)
}

/** Node's option `signal` would add a dozen listeners to each socket for as long as it lives, and an error with a stack when it closes. */
function whenConnected(socket: Socket, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => socket.destroy(signal.reason), { once: true })
    // Never removed: an `error` event without a listener ends the process.
    socket.on('error', reject)
    socket.once('connect', () => resolve(socket))
  })
}

const canonical = (address: string): string | undefined =>
  SocketAddress.parse(isIPv6(address) ? `[${address}]` : address)?.address
