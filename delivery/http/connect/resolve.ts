import { promises as dns } from 'node:dns'
import { readHostsFile } from './hosts-file.ts'
import type { Resolve } from '../types.ts'

export interface ResolveOptions {
  dnsMs: number
  /** Name servers instead of the system's; tests own it. */
  servers?: string[]
  hostsFile?: string
}

/**
 * The system's names. DNS goes through c-ares and not through `dns.lookup`: that one holds a thread of libuv's pool of four
 * for as long as a name hangs, so that four such receivers would stop everybody's name look-ups and file reads.
 */
export function createResolve({ dnsMs, servers, hostsFile = '/etc/hosts' }: ResolveOptions): Resolve {
  const hosts = readHostsFile(hostsFile)
  return async (name, signal) => {
    if (isLocalhost(name)) return ['127.0.0.1', '::1']
    return hosts(withoutDot(name)) ?? (await queryDns(name, signal, dnsMs, servers))
  }
}

/** RFC 6761: these names mean this machine, whatever a name server says. */
export function isLocalhost(name: string): boolean {
  const plain = withoutDot(name).toLowerCase()
  return plain === 'localhost' || plain.endsWith('.localhost')
}

/** `example.com.` is the same name; certificates and host files have it without the dot. */
export const withoutDot = (name: string): string => (name.endsWith('.') ? name.slice(0, -1) : name)

/** A resolver of its own for each name (28 µs), because it can only be cancelled as a whole. */
async function queryDns(
  name: string,
  signal: AbortSignal,
  dnsMs: number,
  servers: string[] | undefined,
): Promise<string[]> {
  // Each server is asked once, and the last one must have its turn within the limit.
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

/** Either family is enough. */
function merge(families: PromiseSettledResult<string[]>[]): string[] {
  const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
  if (addresses.length > 0) return addresses
  const failed = families.find((family) => family.status === 'rejected')
  throw failed?.reason ?? new Error('no addresses')
}
