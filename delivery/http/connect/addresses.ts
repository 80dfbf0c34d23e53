import { BlockList, isIP, isIPv4 } from 'node:net'

/** `open`: on the public internet. `opened`: in WEBHOOK_ALLOW_NETWORKS. `refused`: any other address, and invalid ones. */
type Reach = 'open' | 'opened' | 'refused'

export interface AddressPolicy {
  classify(address: string): Reach
}

/** IANA's special-purpose registry, and multicast. The AS112 and AMT blocks are reachable, but host no receivers. */
export const REFUSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/** Only this is global unicast: loopback, unique-local, link-local, multicast, mapped and translated forms lie outside. */
const GLOBAL_IPV6 = '2000::/3'

/** Ranges inside it that host no receivers. */
export const REFUSED_IPV6 = [
  '2001::/23', // Teredo, benchmarking, ORCHID and other protocol assignments
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // the former 6bone
  '3fff::/20', // documentation
]

/** These return the machine's credentials. Opened only by their exact address, never by a network around them. */
const METADATA_IPV4 = [
  '100.100.100.200/32', // Alibaba
  '168.63.129.16/32', // Azure's host, a public address
  '169.254.0.23/32', // Tencent
  '169.254.42.42/32', // Scaleway
  '169.254.169.0/24', // most clouds: 169.254.169.254, and AWS's 249, 250, 253
  '169.254.170.0/24', // ECS tasks 169.254.170.2, EKS pods 169.254.170.23
  '192.0.0.192/32', // Oracle
]
const METADATA_IPV6 = [
  'fd00:ec2::/64', // AWS: ::23, ::253, ::254
  'fd20:ce::254/128', // Google
  'fd00:42::42/128', // Scaleway
  'fe80::a9fe:a9fe/128', // OpenStack
]
/** IPv6 prefixes whose last 32 bits are an IPv4 address, except the mapped one, which BlockList handles. */
const EMBEDDING_PREFIXES = ['::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::']

export function createAddressPolicy(allowNetworks: string[]): AddressPolicy {
  const refused = networks([...REFUSED_IPV4, ...REFUSED_IPV6])
  const global = networks([GLOBAL_IPV6])
  const metadata = networks([...METADATA_IPV4, ...METADATA_IPV6, ...METADATA_IPV4.flatMap(embedded)])
  const allowed = networks(allowNetworks)
  const named = networks(allowNetworks.filter(isSingle))
  const isPublic = (address: string) => !refused.has(address) && (isIPv4(address) || global.has(address))
  return {
    classify(address) {
      // A zone (`fe80::1%eth0`) is an interface of this machine.
      if (isIP(address) === 0 || address.includes('%')) return 'refused'
      if (metadata.has(address)) return named.has(address) ? 'opened' : 'refused'
      if (isPublic(address)) return 'open'
      return allowed.has(address) ? 'opened' : 'refused'
    },
  }
}

interface Networks {
  has(address: string): boolean
}

/**
 * One list per family: in a shared one an IPv4 address matches an IPv6 network such as `::/0`. An IPv4-mapped address
 * (`::ffff:10.0.0.1`) must match the IPv4 network, so both lists are checked for IPv6.
 */
function networks(cidrs: string[]): Networks {
  const ipv4 = new BlockList()
  const ipv6 = new BlockList()
  for (const { address, prefix, family } of cidrs.map(parseCidr))
    (family === 'ipv4' ? ipv4 : ipv6).addSubnet(address, prefix, family)
  return {
    has: (address) =>
      isIPv4(address)
        ? ipv4.check(address, 'ipv4')
        : ipv6.check(address, 'ipv6') || ipv4.check(address, 'ipv6'),
  }
}

interface Cidr {
  address: string
  prefix: number
  family: 'ipv4' | 'ipv6'
}

function parseCidr(text: string): Cidr {
  const [address = '', length, ...rest] = text.split('/')
  const version = isIP(address)
  const bits = version === 4 ? 32 : 128
  const prefix = length === undefined ? bits : Number(length)
  const isValid = version !== 0 && !address.includes('%') && rest.length === 0
  if (!isValid || !/^\d{1,3}$/.test(length ?? '0') || prefix > bits)
    throw new Error(`not an address or a network such as 10.0.0.0/8: ${text}`)
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' }
}

const isSingle = (text: string): boolean => {
  const { prefix, family } = parseCidr(text)
  return prefix === (family === 'ipv4' ? 32 : 128)
}

/** An IPv4 network inside IPv6: translated forms have it in their last bits, 6to4 behind its prefix. */
function embedded(cidr: string): string[] {
  const { address, prefix } = parseCidr(cidr)
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const sixToFour = `2002:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}::/${16 + prefix}`
  return [...EMBEDDING_PREFIXES.map((embedding) => `${embedding}${address}/${96 + prefix}`), sixToFour]
}
