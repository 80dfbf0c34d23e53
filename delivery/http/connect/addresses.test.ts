import assert from 'node:assert/strict'
import { BlockList, isIPv4 } from 'node:net'
import { test } from 'node:test'
import fc from '../../../test/support/properties.ts'
import { parseTargetUrl } from '../target-url.ts'
import { openEgress, recordDials } from '../testing/receivers.ts'
import { createAddressPolicy, REFUSED_IPV4, REFUSED_IPV6 } from './addresses.ts'

const closedPolicy = createAddressPolicy([])

const FORBIDDEN_HOSTS = `
  127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0x7F.0.0.1 0177.0.0.1 017700000001 0177.0x0.1 127.0.0.1. 127.255.255.254
  127。0。0。1 １２７.0.0.1 ①②⑦.0.0.1 %31%32%37.0.0.1
  0.0.0.0 0 00 0x0 0.0.0.1 0.255.255.255
  10.0.0.1 10.1 167772161 0xa.0.0.1 012.0.0.1 10.255.255.255
  100.64.0.1 100.127.255.255
  169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518 169.254.0.1 169.254.170.2
  172.16.0.1 172.31.255.255 0xac.0x10.1 192.168.0.1 192.168.1 3232235521 192.168.255.255
  192.0.0.1 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.175.48.1
  198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 4294967295
  168.63.129.16 100.100.100.200
  [::] [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::127.0.0.1] [::7f00:1] [::10.0.0.1]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] [::FFFF:10.0.0.1] [::ffff:169.254.169.254] [::ffff:8.8.8.8]
  [::ffff:0:127.0.0.1] [::ffff:0:8.8.8.8] [64:ff9b::127.0.0.1] [64:ff9b::8.8.8.8] [64:ff9b::a9fe:a9fe] [64:ff9b:1::10.0.0.1]
  [100::1] [100:0:0:1::1] [2001::1] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [2001:2::1] [2001:10::1] [2001:20::1] [2001:db8::1]
  [2002:7f00:1::] [2002:a9fe:a9fe::1] [2002:808:808::1] [2620:4f:8000::1] [3ffe::1] [3fff::1] [3fff:fff::1]
  [5f00::1] [4000::1] [1fff:ffff::1] [8000::1] [fc00::1] [fd00::1] [fd00:ec2::254] [fdff:ffff::1] [fe80::1] [febf::1] [fec0::1] [ff02::1] [ff0e::1]
`
  .trim()
  .split(/\s+/)

test(`refuses ${FORBIDDEN_HOSTS.length} forbidden addresses in any spelling, and dials none`, async (t) => {
  assert.ok(FORBIDDEN_HOSTS.length >= 60)
  const dials = recordDials(t)
  const egress = openEgress(t, { allowNetworks: [] })
  for (const host of FORBIDDEN_HOSTS) {
    const text = `http://${host}/hook`
    const url = parseTargetUrl(text, { allowHttp: true })
    assert.ok(url instanceof URL, host)
    assert.equal(await egress.checkTarget(url), 'refused', host)
    const result = await egress.post('a', { url: text, headers: [], body: '{}' })
    assert.equal(result?.error, 'refused_address', host)
    assert.equal(result?.address, null)
  }
  assert.deepEqual(dials, [])
})

test('allows public addresses', () => {
  const open =
    '1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255 ' +
    '172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 198.17.255.255 198.20.0.0 223.255.255.255 ' +
    '2001:200::1 2001:4860:4860::8888 2606:4700::1111 2a00:1450::1 2003::1 3ffd::1'
  for (const address of open.split(' ')) assert.equal(closedPolicy.classify(address), 'open', address)
})

test('refuses invalid addresses and those with an interface', () => {
  const policy = createAddressPolicy(['0.0.0.0/0', '::/0'])
  const invalid = ' localhost 127.1 0x7f.0.0.1 1.2.3 1.2.3.4.5 fe80::1%eth0 ::1%lo 1.2.3.4/32'
  for (const address of invalid.split(' ')) assert.equal(policy.classify(address), 'refused', address)
})

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

const toIpv4 = (b: Uint8Array): string => b.join('.')
const toIpv6 = (b: Uint8Array): string =>
  Array.from({ length: 8 }, (_, i) => (((b[2 * i] ?? 0) << 8) | (b[2 * i + 1] ?? 0)).toString(16)).join(':')

/** Any address inside a network: the network's own leading bits, then random ones. */
function inside(cidr: string): fc.Arbitrary<string> {
  const [network = '', prefix = ''] = cidr.split('/')
  const isV4 = isIPv4(network)
  const base = isV4 ? Uint8Array.from(network.split('.').map(Number)) : ipv6Bytes(network)
  return bytes(base.length).map((random) => {
    const mixed = random.map((byte, i) => {
      const mask = (0xff00 >> Math.min(8, Math.max(0, Number(prefix) - 8 * i))) & 0xff
      return ((base[i] ?? 0) & mask) | (byte & ~mask & 0xff)
    })
    return isV4 ? toIpv4(mixed) : toIpv6(mixed)
  })
}

function ipv6Bytes(text: string): Uint8Array {
  const [left = '', right = ''] = text.split('::')
  const words = (side: string) =>
    side === '' ? [] : side.split(':').map((word) => Number.parseInt(word, 16))
  const head = words(left)
  const tail = words(right)
  const all = [...head, ...Array(8 - head.length - tail.length).fill(0), ...tail] as number[]
  return Uint8Array.from(all.flatMap((word) => [word >> 8, word & 0xff]))
}

const OUTSIDE_GLOBAL =
  '::/8 64:ff9b::/96 64:ff9b:1::/48 ::ffff:0:0/96 4000::/2 8000::/1 fc00::/7 fe80::/10 ff00::/8'
const REFUSED_BLOCKS = [...REFUSED_IPV4, ...REFUSED_IPV6, ...OUTSIDE_GLOBAL.split(' ')]

test('refuses every address in a refused network', () => {
  for (const cidr of REFUSED_BLOCKS)
    fc.assert(
      fc.property(inside(cidr), (address) => assert.equal(closedPolicy.classify(address), 'refused')),
      { numRuns: 200 },
    )
})

test('refuses IPv4 addresses in IPv6 form', () => {
  fc.assert(
    fc.property(bytes(4).map(toIpv4), (address) => {
      for (const prefix of ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::'])
        assert.equal(closedPolicy.classify(`${prefix}${address}`), 'refused')
    }),
  )
})

test('an allowed network opens its own addresses only', () => {
  const anywhere = fc.oneof(bytes(4).map(toIpv4), bytes(16).map(toIpv6), ...REFUSED_BLOCKS.map(inside))
  for (const cidr of '10.1.0.0/16 127.0.0.0/8 192.168.7.0/25 fd12:3456::/32 ::1/128 fe80::/64'.split(' ')) {
    const policy = createAddressPolicy([cidr])
    fc.assert(
      fc.property(fc.oneof(inside(cidr), anywhere), (address) => {
        const reach = closedPolicy.classify(address)
        const isOpened = reach === 'refused' && contains(cidr, address)
        assert.equal(policy.classify(address), isOpened ? 'opened' : reach)
      }),
      { numRuns: 500 },
    )
  }
})

function contains(cidr: string, address: string): boolean {
  const [network = '', prefix = ''] = cidr.split('/')
  const list = new BlockList()
  list.addSubnet(network, Number(prefix), isIPv4(network) ? 'ipv4' : 'ipv6')
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

test('an IPv6 network does not open IPv4 addresses, and vice versa', () => {
  const ipv6 = createAddressPolicy(['::/0'])
  const ipv4 = createAddressPolicy(['0.0.0.0/0'])
  assert.deepEqual([ipv6.classify('10.0.0.1'), ipv6.classify('fd00::1')], ['refused', 'opened'])
  assert.deepEqual([ipv4.classify('10.0.0.1'), ipv4.classify('fd00::1')], ['opened', 'refused'])
})

test('an IPv4 network opens its IPv4-mapped addresses, and no other translated form', () => {
  const policy = createAddressPolicy(['10.0.0.0/8'])
  assert.equal(policy.classify('::ffff:10.0.0.1'), 'opened')
  assert.equal(policy.classify('::ffff:a00:1'), 'opened')
  assert.equal(policy.classify('::ffff:11.0.0.1'), 'refused')
  for (const prefix of ['::', '::ffff:0:', '64:ff9b::'])
    assert.equal(policy.classify(`${prefix}10.0.0.1`), 'refused')
})

const METADATA =
  '169.254.169.254 169.254.169.253 169.254.170.2 169.254.170.23 169.254.0.23 100.100.100.200 ' +
  '168.63.129.16 192.0.0.192 fd00:ec2::254 fd00:ec2::23 fd20:ce::254'

test('opens a metadata address only by its exact address', () => {
  const around = '0.0.0.0/0 ::/0 169.254.0.0/16 169.254.169.252/30 fd00::/8 100.64.0.0/10 64:ff9b::/96'
  const wide = createAddressPolicy(around.split(' '))
  for (const address of METADATA.split(' ')) {
    assert.equal(closedPolicy.classify(address), 'refused', address)
    assert.equal(wide.classify(address), 'refused', address)
    const single = isIPv4(address) ? 32 : 128
    assert.equal(createAddressPolicy([address]).classify(address), 'opened')
    assert.equal(createAddressPolicy([`${address}/${single}`]).classify(address), 'opened')
    assert.equal(createAddressPolicy([`${address}/${single - 1}`]).classify(address), 'refused')
  }
  for (const form of ['::ffff:', '::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::'])
    assert.equal(wide.classify(`${form}169.254.169.254`), 'refused', form)
  assert.equal(wide.classify('2002:a9fe:a9fe::1'), 'refused')
  assert.equal(wide.classify('10.0.0.1'), 'opened')
})

test('rejects an invalid network at start', () => {
  const invalid =
    ' x 10.0.0.0/33 10.0.0.0/-1 10.0.0.0/ 10.0.0.0/8/8 10.0.0/8 ::/129 fe80::1%eth0 10.0.0.0/1e1'
  for (const text of invalid.split(' '))
    assert.throws(() => createAddressPolicy([text]), /not an address or a network/, text)
})
