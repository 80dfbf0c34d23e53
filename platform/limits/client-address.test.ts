import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAddressLimit } from './address-limit.ts'
import { addressKeys } from './client-address.ts'

/** All of 192.0.2.1. */
const IPV4 = `192.0.2.1|192.0.2.1:61234| 192.0.2.1 |64:ff9b::192.0.2.1|64:ff9b::c000:201|::ffff:192.0.2.1|\
::FFFF:192.0.2.1|::ffff:c000:201|::ffff:C000:0201|0::ffff:192.0.2.1|0:0:0:0:0:ffff:192.0.2.1|\
0000:0000:0000:0000:0000:ffff:c000:0201|::ffff:192.0.2.1%eth0|[::ffff:192.0.2.1]:443`.split('|')

const IPV6: [spelling: string, host: string, site: string][] = [
  ['2001:db8:1:2::1', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:DB8:1:2::1', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8:1:2:3::192.0.2.1', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64', '2001:db8:1::/48'],
  ['fe80::1', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['fe80::1%25', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['::', '0:0:0:0::/64', '0:0:0::/48'],
  ['1::', '1:0:0:0::/64', '1:0:0::/48'],
  // 6to4, Teredo and the deprecated IPv4-compatible form are IPv6 like any other.
  ['2002:c000:201:1::1', '2002:c000:201:1::/64', '2002:c000:201::/48'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:0:4136:e378::/64', '2001:0:4136::/48'],
  ['::192.0.2.1', '0:0:0:0::/64', '0:0:0::/48'],
  ['::ffff:0:192.0.2.1', '0:0:0:0::/64', '0:0:0::/48'],
  ['64:ff9b:1::192.0.2.1', '64:ff9b:1:0::/64', '64:ff9b:1::/48'],
]

test('an IPv4 address has one key in every spelling', () => {
  for (const text of IPV4) assert.deepEqual(addressKeys(text), { host: '192.0.2.1', site: null }, text)
  for (const host of ['0.0.0.0', '255.255.255.255'])
    assert.deepEqual(addressKeys(`::ffff:${host}`), { host, site: null })
})

test('an IPv6 address is counted by its /64 and its /48 in every spelling', () => {
  for (const [spelling, host, site] of IPV6) assert.deepEqual(addressKeys(spelling), { host, site }, spelling)
})

test('text that is not an address has one key, so that a new spelling is not a new client', () => {
  for (const text of ' unknown _hidden 192.0.2.256 2001:db8::1::2 1:2:3:4:5:6:7:8:9 010.0.0.1'.split(' '))
    assert.deepEqual(addressKeys(text), { host: 'unreadable', site: null }, text)
})

test('does not count requests for the /48 that the /64 limit rejects', () => {
  const limit = createAddressLimit({ perMinute: 1, clock: { now: () => 0 } })
  for (let n = 0; n < 50; n++) void limit.take('2001:db8::1')
  const others = Array.from({ length: 10 }, (_, n) => limit.take(`2001:db8:0:${n + 1}::1`))
  assert.deepEqual(
    others.map((wait) => wait === 0),
    [...Array<boolean>(9).fill(true), false],
  )
})
