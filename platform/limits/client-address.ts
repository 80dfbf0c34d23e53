import { isIPv4, isIPv6 } from 'node:net'

/** The keys under which rate limits count a client address. */
export interface AddressKeys {
  /** The IPv4 address, or the /64 of an IPv6 address: one customer or one device has a whole /64 to choose addresses from. */
  host: string
  /** The /48 of an IPv6 address, since one site can hold 65,536 networks of the size /64. Null for IPv4. */
  site: string | null
}

/** Clients whose address cannot be read share one key, so that an odd spelling is not a way around a limit. */
const UNREADABLE: AddressKeys = { host: 'unreadable', site: null }

/** Reads any spelling of an address, also with the port that some proxies add in X-Forwarded-For. */
export function addressKeys(address: string): AddressKeys {
  const bare = withoutPort(address.trim())
  if (isIPv4(bare)) return { host: bare, site: null }
  if (!isIPv6(bare)) return UNREADABLE
  const groups = groupsOf(bare)
  const ipv4 = embeddedIPv4(groups)
  if (ipv4 !== null) return { host: ipv4, site: null }
  return { host: network(groups, 4), site: network(groups, 3) }
}

function withoutPort(address: string): string {
  const [, bracketed] = /^\[(.+)\](?::\d+)?$/.exec(address) ?? []
  const [, ipv4] = /^([\d.]+):\d+$/.exec(address) ?? []
  return bracketed ?? ipv4 ?? address
}

/** The eight 16-bit groups of a valid IPv6 address. The zone (`%eth0`) names an interface of this machine, not a client. */
function groupsOf(address: string): number[] {
  const [text = ''] = address.split('%')
  const [head = '', tail] = text.split('::')
  const start = readGroups(head)
  const end = tail === undefined ? [] : readGroups(tail)
  return [...start, ...Array<number>(8 - start.length - end.length).fill(0), ...end]
}

function readGroups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [Number.parseInt(part, 16)]
    const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number)
    return [a * 256 + b, c * 256 + d]
  })
}

/** Prefixes of 96 bits, followed by the address of an IPv4 client. In both, all IPv4 clients would share one /64. */
const IPV4_PREFIXES = [
  [0, 0, 0, 0, 0, 0xffff], // IPv4-mapped: an IPv4 client on a socket that accepts both families
  [0x64, 0xff9b, 0, 0, 0, 0], // RFC 6052: an IPv4 client behind the operator's own translator
]

function embeddedIPv4(groups: number[]): string | null {
  if (!IPV4_PREFIXES.some((prefix) => prefix.every((group, index) => group === groups[index]))) return null
  const [high = 0, low = 0] = groups.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function network(groups: number[], length: number): string {
  const prefix = groups.slice(0, length).map((group) => group.toString(16))
  return `${prefix.join(':')}::/${length * 16}`
}
