import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  IPV6_LOOPBACK,
  NO_RESPONSE,
  NXDOMAIN,
  type Reply,
  SERVFAIL,
  serveNames,
} from '../testing/name-server.ts'
import { OK, openEgress, post, receiveWith, recordDials } from '../testing/receivers.ts'
import { createResolve } from './resolve.ts'

const NEVER = new AbortController().signal

test('resolves a name to all its addresses of both families', async (t) => {
  const { server, asked } = await serveNames(t, (_, family) =>
    family === 'A' ? ['127.0.0.1', '10.0.0.1'] : [IPV6_LOOPBACK],
  )
  const resolve = createResolve({ dnsMs: 1_000, servers: [server] })
  assert.deepEqual(await resolve('both.example', NEVER), ['127.0.0.1', '10.0.0.1', '::1'])
  assert.deepEqual(asked.toSorted(), ['both.example A', 'both.example AAAA'])
})

test('succeeds if only one address family resolves', async (t) => {
  const others: Reply[] = [[], NXDOMAIN, SERVFAIL]
  for (const other of others) {
    const { server } = await serveNames(t, (_, family) => (family === 'A' ? ['127.0.0.1'] : other))
    assert.deepEqual(await createResolve({ dnsMs: 1_000, servers: [server] })('a.example', NEVER), [
      '127.0.0.1',
    ])
  }
})

test('fails with `dns` in bounded time for a name that does not exist or whose lookup fails or times out', async (t) => {
  const replies: [string, Reply][] = [
    ['NXDOMAIN', NXDOMAIN],
    ['SERVFAIL', SERVFAIL],
    ['no addresses', []],
    ['no response', NO_RESPONSE],
  ]
  for (const [name, reply] of replies)
    await t.test(name, async (t) => {
      const { server } = await serveNames(t, () => reply)
      const dials = recordDials(t)
      const resolve = createResolve({ dnsMs: 200, servers: [server] })
      const egress = openEgress(t, { resolve, limits: { dnsMs: 200, totalMs: 60_000 } })
      const result = await post(egress, 'http://nowhere.example/')
      assert.deepEqual([result.error, result.address, result.opened], ['dns', null, false])
      assert.ok(result.timings.totalMs < 30_000)
      assert.equal(await egress.checkTarget(new URL('http://nowhere.example/')), 'unresolved')
      assert.deepEqual(dials, [])
    })
})

test('waits no longer than the limit for a name server that is slow in one family', async (t) => {
  const { server } = await serveNames(t, (_, family) => (family === 'A' ? ['127.0.0.1'] : NO_RESPONSE))
  const receiver = await receiveWith(t, OK)
  const resolve = createResolve({ dnsMs: 150, servers: [server] })
  const egress = openEgress(t, { resolve, limits: { dnsMs: 1_000 } })
  const result = await post(egress, `http://half.example:${receiver.port}/`)
  assert.equal(result.success, true)
})

test('aborts a lookup with its signal', async (t) => {
  const { server } = await serveNames(t, () => NO_RESPONSE)
  const resolve = createResolve({ dnsMs: 60_000, servers: [server] })
  await assert.rejects(resolve('slow.example', AbortSignal.timeout(50)), { code: 'ECANCELLED' })
})

test('times out a resolver that never returns', async (t) => {
  const egress = openEgress(t, {
    resolve: () => new Promise(() => {}),
    limits: { dnsMs: 100, totalMs: 60_000 },
  })
  const result = await post(egress, 'http://hanging.example/')
  assert.ok(result.error === 'dns' && result.timings.totalMs < 30_000)
  assert.equal(await egress.checkTarget(new URL('http://hanging.example/')), 'unresolved')
})

test('the deadline of the request includes name resolution', async (t) => {
  const egress = openEgress(t, { resolve: () => new Promise(() => {}), limits: { totalMs: 150 } })
  assert.equal((await post(egress, 'http://hanging.example/')).error, 'timeout')
})

test('refuses a name with any refused address among fifty, and dials none', async (t) => {
  const many = Array.from({ length: 49 }, (_, i) => `8.8.${i}.1`)
  const mixes: [string, string[]][] = [
    ['last', [...many, '127.0.0.2']],
    ['first', ['10.0.0.1', ...many]],
    ['public and private', ['93.184.215.14', '192.168.0.1']],
    ['in an allowed network and refused', ['127.0.0.1', '127.0.0.2']],
    ['mapped', ['127.0.0.1', '::ffff:10.0.0.1']],
    ['both families', ['127.0.0.1', '::1']],
  ]
  for (const [name, addresses] of mixes)
    await t.test(name, async (t) => {
      const dials = recordDials(t)
      const egress = openEgress(t, { resolve: async () => addresses })
      const result = await post(egress, 'http://mixed.example/')
      assert.deepEqual([result.error, result.address], ['refused_address', null])
      assert.equal(await egress.checkTarget(new URL('http://mixed.example/')), 'refused')
      assert.deepEqual(dials, [])
    })
})

test('accepts fifty addresses from a name server', async (t) => {
  const many = Array.from({ length: 50 }, (_, i) => `127.1.0.${i + 1}`)
  const { server } = await serveNames(t, (_, family) => (family === 'A' ? many : []))
  const resolve = createResolve({ dnsMs: 1_000, servers: [server] })
  assert.deepEqual(await resolve('many.example', NEVER), many)
})

test('dials the next address when one fails, IPv4 first and three at most', async (t) => {
  const receiver = await receiveWith(t, OK)
  const dials = recordDials(t)
  // Nothing listens on the receiver's port at these.
  const dead = ['127.0.0.9', '127.0.0.8']
  const egress = openEgress(t, {
    allowNetworks: ['127.0.0.0/8', '::1'],
    resolve: async (name) =>
      name === 'alive.example' ? ['::1', '127.0.0.9', '127.0.0.1'] : ['::1', ...dead, '127.0.0.7'],
  })
  const alive = await post(egress, `http://alive.example:${receiver.port}/`)
  assert.deepEqual([alive.success, alive.address], [true, '127.0.0.1'])
  const lost = await post(egress, `http://dead.example:${receiver.port}/`)
  assert.equal(lost.error, 'connect')
  assert.deepEqual(dials, ['127.0.0.9', '::1', '127.0.0.1', '127.0.0.9', '::1', '127.0.0.8'])
})

test('sends the name in the Host header', async (t) => {
  const receiver = await receiveWith(t, OK)
  const egress = openEgress(t, { resolve: async () => ['127.0.0.1'] })
  const result = await post(egress, `http://Receiver.example:${receiver.port}/`)
  assert.match(receiver.requests[0] ?? '', new RegExp(`^host: receiver\\.example:${receiver.port}\r$`, 'm'))
  assert.notEqual(result.timings.dnsMs, null)
})

test('connects to localhost when either of its addresses is in an allowed network', async (t) => {
  const receiver = await receiveWith(t, OK)
  for (const name of ['localhost', 'a.localhost', 'LOCALHOST.']) {
    const url = `http://${name}:${receiver.port}/`
    assert.equal((await post(openEgress(t), url)).success, true, name)
    assert.equal((await post(openEgress(t, { allowNetworks: [] }), url)).error, 'refused_address')
  }
})

test('reads the hosts file, and reads it again when it changes', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'egress-hosts-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const hostsFile = join(folder, 'hosts')
  writeFileSync(
    hostsFile,
    '# 10.0.0.9 no\n127.0.0.1 one.example Two.example # three\n::1 one.example\nbad x\n',
  )
  const { server } = await serveNames(t, () => NXDOMAIN)
  const make = () => createResolve({ dnsMs: 1_000, servers: [server], hostsFile })
  const resolve = make()
  assert.deepEqual(await resolve('one.example.', NEVER), ['127.0.0.1', '::1'])
  assert.deepEqual(await resolve('two.EXAMPLE', NEVER), ['127.0.0.1'])
  for (const name of ['three', 'no', 'x', '#']) await assert.rejects(resolve(name, NEVER))
  writeFileSync(hostsFile, '127.0.0.3 one.example')
  utimesSync(hostsFile, 1, 1)
  t.mock.method(performance, 'now', () => Number.MAX_SAFE_INTEGER)
  assert.deepEqual(await resolve('one.example', NEVER), ['127.0.0.3'])
})

test('names without a response do not delay other names', async (t) => {
  const receiver = await receiveWith(t, OK)
  const { server } = await serveNames(t, (name, family) => {
    if (name.startsWith('hang')) return NO_RESPONSE
    return family === 'A' ? ['127.0.0.1'] : []
  })
  const resolve = createResolve({ dnsMs: 5_000, servers: [server] })
  const egress = openEgress(t, { resolve, limits: { dnsMs: 5_000 } })
  let ended = 0
  const hanging = Array.from({ length: 64 }, (_, i) =>
    post(egress, `http://hang${i}.example/`, { group: `h${i}` }).finally(() => ended++),
  )
  for (let i = 0; i < 10; i++) {
    const { success } = await post(egress, `http://ok${i}.example:${receiver.port}/`, { group: `g${i}` })
    assert.ok(success)
  }
  assert.equal(ended, 0, 'all of them while the others hung')
  assert.ok((await Promise.all(hanging)).every(({ error }) => error === 'dns'))
})
