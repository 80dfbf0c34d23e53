import { isIP, isIPv4, type Socket } from 'node:net'
import type { EgressLimits, Resolve } from '../types.ts'
import type { AddressPolicy } from './addresses.ts'
import type { Dial } from './dial.ts'
import { EgressFailure } from './failure.ts'
import { phase } from './phase.ts'
import { isLocalhost } from './resolve.ts'
import type { StartTls } from './tls.ts'

/** How a target is reached; filled in phase by phase, so that a failure shows the phase. */
export interface Route {
  address: string | null
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

/** All addresses of a name are checked; at most so many are dialled. */
const MAX_DIALS = 3

export const newRoute = (): Route => ({
  address: null,
  opened: false,
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
})

/** A connection to one of the target's addresses. All of them are checked before any is dialled. */
export async function connect(
  connector: Connector,
  target: URL,
  route: Route,
  signal: AbortSignal,
): Promise<Socket> {
  const { limits, startTls } = connector
  const host = hostOf(target)
  const addresses = await addressesOf(connector, host, route, signal)
  const allowed = classifyAll(connector.policy, host, addresses)
  if (allowed === null) throw new EgressFailure('refused_address', 'refused')
  route.opened = allowed.opened
  const socket = await dialAny(connector, target, allowed.addresses, route, signal)
  if (target.protocol === 'http:') return socket
  const began = performance.now()
  try {
    return await phase('tls', limits.tlsMs, signal, (limit) => startTls(socket, host, limit))
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    route.tlsMs = performance.now() - began
  }
}

/** Without the brackets that a URL puts around an IPv6 address. */
const hostOf = (target: URL): string => target.hostname.replace(/^\[|\]$/g, '')

/** Whether any of the target's addresses is refused. Rejects when there are none. */
export async function isRefused(connector: Connector, target: URL, signal: AbortSignal): Promise<boolean> {
  const host = hostOf(target)
  const addresses = await addressesOf(connector, host, newRoute(), signal)
  return classifyAll(connector.policy, host, addresses) === null
}

async function addressesOf(
  { resolve, limits }: Connector,
  host: string,
  route: Route,
  signal: AbortSignal,
): Promise<string[]> {
  if (isIP(host) !== 0) return [host]
  const began = performance.now()
  const addresses = await phase('dns', limits.dnsMs, signal, (limit) => resolve(host, limit))
  route.dnsMs = performance.now() - began
  if (addresses.length === 0) throw new EgressFailure('dns', 'ENODATA')
  return addresses
}

/** Null when any address is refused, because public and private ones together are an attack. For `localhost`, 127.0.0.1 is enough. */
function classifyAll(
  policy: AddressPolicy,
  host: string,
  addresses: string[],
): { addresses: string[]; opened: boolean } | null {
  const classified = addresses.map((address) => ({ address, reach: policy.classify(address) }))
  const good = classified.filter(({ reach }) => reach !== 'refused')
  if (good.length === 0 || (good.length < classified.length && !isLocalhost(host))) return null
  return {
    addresses: inDialOrder(good.map(({ address }) => address)),
    opened: good.some(({ reach }) => reach === 'opened'),
  }
}

/** IPv4 first, then the families in turn, so that a broken family costs one attempt. */
function inDialOrder(addresses: string[]): string[] {
  const ipv4 = addresses.filter((address) => isIPv4(address))
  const ipv6 = addresses.filter((address) => !isIPv4(address))
  return Array.from({ length: Math.max(ipv4.length, ipv6.length) }, (_, i) => [ipv4[i], ipv6[i]])
    .flat()
    .filter((address) => address !== undefined)
    .slice(0, MAX_DIALS)
}

/** One address after the other; each gets an equal share of the remaining time. */
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
      const socket = await phase('connect', left / (addresses.length - i), signal, (limit) =>
        dial(address, port, limit),
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
