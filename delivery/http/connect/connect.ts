import { isIP, isIPv4, type Socket } from 'node:net'
import type { EgressLimits, Resolve } from '../types.ts'
import type { AddressPolicy } from './addresses.ts'
import type { Dial } from './dial.ts'
import { EgressFailure } from './failure.ts'
import { phase } from './phase.ts'
import { isLocalhost } from './resolve.ts'
import type { StartTls } from './tls.ts'

/** How a target was reached. Filled in phase by phase, so that after a failure it shows how far the attempt got. */
export interface Route {
  address: string | null
  /** The address is in a private network that the operator allowed. */
  opened: boolean
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
}

export interface Connector {
  policy: AddressPolicy
  resolve: Resolve
  dial: Dial
  startTls: StartTls
  limits: EgressLimits
}

/** At most this many addresses of a name are tried. */
const MAX_DIALS = 3

export const newRoute = (): Route => ({
  address: null,
  opened: false,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
})

/** Connects to one of the target's addresses. All of them are checked before any is dialled. */
export async function connect(
  connector: Connector,
  target: URL,
  route: Route,
  signal: AbortSignal,
): Promise<Socket> {
  const { limits, startTls } = connector
  const host = hostOf(target)
  const addresses = await addressesOf(connector, host, route, signal)
  const allowed = allowedAddresses(connector.policy, host, addresses)
  if (allowed === null) throw new EgressFailure('refused_address', 'refused')
  route.opened = allowed.opened
  const socket = await dialAny(connector, target, allowed.addresses, route, signal)
  if (target.protocol === 'http:') return socket
  const began = performance.now()
  try {
    return await phase('tls', limits.tlsMs, signal, (phaseSignal) => startTls(socket, host, phaseSignal))
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    route.tlsMs = performance.now() - began
  }
}

/** The host name or address, without the brackets around an IPv6 address. */
const hostOf = (target: URL): string => target.hostname.replace(/^\[|\]$/g, '')

/** Whether the target has a refused address. Throws if the name has no address. */
export async function isRefused(connector: Connector, target: URL, signal: AbortSignal): Promise<boolean> {
  const host = hostOf(target)
  const addresses = await addressesOf(connector, host, newRoute(), signal)
  return allowedAddresses(connector.policy, host, addresses) === null
}

async function addressesOf(
  { resolve, limits }: Connector,
  host: string,
  route: Route,
  signal: AbortSignal,
): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const began = performance.now()
  const addresses = await phase('dns', limits.dnsMs, signal, (phaseSignal) => resolve(host, phaseSignal))
  route.dnsMs = performance.now() - began
  if (addresses.length === 0) throw new EgressFailure('dns', 'ENODATA')
  return addresses
}

/**
 * Null if any address is refused: a name with both public and private addresses is an attack. `localhost` needs only one
 * allowed address, since operators usually allow 127.0.0.1 and not ::1.
 */
function allowedAddresses(
  policy: AddressPolicy,
  host: string,
  addresses: string[],
): { addresses: string[]; opened: boolean } | null {
  const classified = addresses.map((address) => ({ address, reach: policy.classify(address) }))
  const allowed = classified.filter(({ reach }) => reach !== 'refused')
  if (allowed.length === 0 || (allowed.length < classified.length && !isLocalhost(host))) return null
  return {
    addresses: inDialOrder(allowed.map(({ address }) => address)),
    opened: allowed.some(({ reach }) => reach === 'opened'),
  }
}

/** Alternates between IPv4 and IPv6, starting with IPv4, so that a family without connectivity costs one attempt. */
function inDialOrder(addresses: string[]): string[] {
  const ipv4 = addresses.filter((address) => isIPv4(address))
  const ipv6 = addresses.filter((address) => !isIPv4(address))
  return Array.from({ length: Math.max(ipv4.length, ipv6.length) }, (_, i) => [ipv4[i], ipv6[i]])
    .flat()
    .filter((address) => address !== undefined)
    .slice(0, MAX_DIALS)
}

/** Tries one address after the other. Each gets an equal share of the remaining time. */
async function dialAny(
  { dial, limits }: Connector,
  target: URL,
  addresses: string[],
  route: Route,
  signal: AbortSignal,
): Promise<Socket> {
  const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80))
  const began = performance.now()
  let failure: unknown
  for (const [i, address] of addresses.entries()) {
    const left = limits.connectMs - (performance.now() - began)
    route.address = address
    try {
      const socket = await phase('connect', left / (addresses.length - i), signal, (phaseSignal) =>
        dial(address, port, phaseSignal),
      )
      route.connectMs = performance.now() - began
      return socket
    } catch (error) {
      failure = error
      if (signal.aborted) break
    }
  }
  throw failure
}
