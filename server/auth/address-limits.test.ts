import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { request, startBackend } from '../../test/support/backend.ts'
import { ownClock } from '../../test/support/own-clock.ts'

const backend = await startBackend({
  rateLimits: { perUser: 1_000, failuresPerAddress: 3 },
  trustedProxies: ['127.0.0.1'],
  clock: ownClock(),
})
after(() => backend.stop())

/** A request with a bad token, as a trusted proxy forwards it for a client. */
async function failFrom(address: string): Promise<number> {
  const headers = { authorization: 'Bearer a.b.c', 'x-forwarded-for': address }
  return (await request(`${backend.url}/api/v2/me`, 'GET', undefined, headers)).status
}

async function failFromEach(addresses: string[]): Promise<number[]> {
  const statuses = []
  for (const address of addresses) statuses.push(await failFrom(address))
  return statuses
}

test('addresses of one IPv6 /64 share a limit, and another /64 has its own', async () => {
  const addresses = ['2a00:1::1', '2a00:1::2', '2a00:1:0:0:ffff::3', '2A00:1::4']
  assert.deepEqual(await failFromEach(addresses), [401, 401, 401, 429])
  assert.equal(await failFrom('2a00:1:0:1::1'), 401)
})

test('an IPv4 address has one limit however it is written', async () => {
  const spellings = ['198.51.100.7', '::ffff:198.51.100.7', '::FFFF:c633:6407', '198.51.100.7:4711']
  assert.deepEqual(await failFromEach(spellings), [401, 401, 401, 429])
})

test('an IPv6 /48 has its own, larger limit: the /64s of one site share it', async () => {
  const statuses = await failFromEach(Array.from({ length: 31 }, (_, n) => `2a00:2:0:${n.toString(16)}::1`))
  assert.deepEqual(statuses, [...Array<number>(30).fill(401), 429])
  assert.equal(await failFrom('2a00:2:1::1'), 401)
})
