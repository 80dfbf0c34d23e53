import { BlockList, isIP, isIPv4 } from 'node:net'

/**
 * - `open`: on the public internet.
 * - `opened`: not, but WEBHOOK_ALLOW_NETWORKS opens it.
 * - `refused`: all else, and what is no address.
 */
type Verdict = 'open' | 'opened' | 'refused'

export interface AddressRule {
  judge(address: string): Verdict
}

/** IANA's special-purpose registry, and multicast. The AS112 and AMT blocks are reachable, but no receiver lives there. */
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

/** What lies inside it and is no place for a receiver. */
export const REFUSED_IPV6 = [
  '2001::/23', // Teredo, benchmarking, ORCHID and other protocol assignments
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // the former 6bone
  '3fff::/20', // documentation
]

/** Whoever reaches these gets the machine's credentials. Opened only when named exactly, never by a network around them. */
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
/** IPv6 forms whose last 32 bits are an IPv4 address, beside the mapped one, which BlockList knows itself. */
const CARRIERS = ['::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::']

export function createAddressRule(allowNetworks: string[]): AddressRule {
  const refused = networks([...REFUSED_IPV4, ...REFUSED_IPV6])
  const global = networks([GLOBAL_IPV6])
  const metadata = networks([...METADATA_IPV4, ...METADATA_IPV6, ...METADATA_IPV4.flatMap(carried)])
  const allowed = networks(allowNetworks)
  const named = networks(allowNetworks.filter(isSingle))
  const isPublic = (address: string) => !refused.has(address) && (isIPv4(address) || global.has(address))
  return {
    judge(address) {
      // A zone (`fe80::1%eth0`) names one of our own interfaces.
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
 * One list for each family: in a shared one an IPv4 address matches an IPv6 network such as `::/0`. The other direction is
 * wanted: an IPv4-mapped address (`::ffff:10.0.0.1`) is in the IPv4 network it stands for.
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

/** A network's forms inside IPv6: translated ones by their last bits, 6to4 by the ones behind its prefix. */
function carried(cidr: string): string[] {
  const { address, prefix } = parseCidr(cidr)
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const sixToFour = `2002:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}::/${16 + prefix}`
  return [...CARRIERS.map((carrier) => `${carrier}${address}/${96 + prefix}`), sixToFour]
}
