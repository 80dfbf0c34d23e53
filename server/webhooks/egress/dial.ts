import { connect, isIPv6, type Socket, SocketAddress } from 'node:net'
import type { AddressRule } from './addresses.ts'
import { EgressFailure } from './failure.ts'

/** Opens a TCP connection to a checked address, by itself or through a proxy. Rejects when the signal aborts. */
export type Dial = (address: string, port: number, signal: AbortSignal) => Promise<Socket>

/** Straight to the address, which the kernel must confirm: what was judged is what is talked to. */
export function dialDirectly(rule: AddressRule): Dial {
  return async (address, port, signal) => {
    const socket = await open(address, port, signal)
    const peer = socket.remoteAddress ?? ''
    if (canonical(peer) === canonical(address) && rule.judge(peer) !== 'refused') return socket
    socket.destroy()
    throw new EgressFailure('refused_address', 'other_peer')
  }
}

export function open(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal, noDelay: true, autoSelectFamily: false })
    // Stays for the socket's whole life: an error that nobody listens to would end the process.
    socket.on('error', reject)
    socket.once('connect', () => resolve(socket))
  })
}

/** One spelling for each address. */
const canonical = (address: string): string | undefined =>
  SocketAddress.parse(isIPv6(address) ? `[${address}]` : address)?.address
