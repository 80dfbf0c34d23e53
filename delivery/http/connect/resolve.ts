import { promises as dns } from 'node:dns'
import type { Resolve } from '../types.ts'
import { readHostsFile } from './hosts-file.ts'

export interface ResolveOptions {
  dnsMs: number
  /** Name servers instead of the system's, for tests. */
  servers?: string[]
  hostsFile?: string
}

/**
 * Resolves names by the hosts file and DNS. c-ares instead of `dns.lookup`, which blocks one of libuv's four threads while a name
 * server does not respond: four such names would stop all lookups and file reads.
 */
export function createResolve({ dnsMs, servers, hostsFile = '/etc/hosts' }: ResolveOptions): Resolve {
  const hosts = readHostsFile(hostsFile)
  return async (name, signal) => {
    if (isLocalhost(name)) return ['127.0.0.1', '::1']
    return hosts(withoutDot(name)) ?? (await queryDns(name, signal, dnsMs, servers))
  }
}

/** RFC 6761: these names always mean this machine, regardless of the name server. */
export function isLocalhost(name: string): boolean {
  const plain = withoutDot(name).toLowerCase()
  return plain === 'localhost' || plain.endsWith('.localhost')
}

/** Certificates and hosts files have names without the final dot. */
export const withoutDot = (name: string): string => (name.endsWith('.') ? name.slice(0, -1) : name)

/** A resolver per name (28 µs), because cancelling one cancels all its queries. */
async function queryDns(
  name: string,
  signal: AbortSignal,
  dnsMs: number,
  servers: string[] | undefined,
): Promise<string[]> {
  // Each server is queried once, and the last one within the limit.
  const timeout = Math.ceil(dnsMs / Math.max(1, (servers ?? dns.getServers()).length))
  const resolver = new dns.Resolver({ timeout, tries: 1 })
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return merge(await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** One address family is enough. */
function merge(families: PromiseSettledResult<string[]>[]): string[] {
  const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
  if (addresses.length > 0) return addresses
  const failed = families.find((family) => family.status === 'rejected')
  throw failed?.reason ?? new Error('no addresses')
}
