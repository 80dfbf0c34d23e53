import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { receiveAsProxy } from '../testing/proxy.ts'
import { OK, openEgress, post, receiveConnections, receiveWith, recordDials } from '../testing/receivers.ts'

const through = (t: TestContext, proxy: string, options = {}) =>
  openEgress(t, { proxy, resolve: async () => ['127.0.0.1'], ...options })

test('sends the checked address to the proxy and the name to the receiver', async (t) => {
  const receiver = await receiveWith(t, OK)
  const proxy = await receiveAsProxy(t)
  const egress = through(t, `http://127.0.0.1:${proxy.port}`)
  for (const _ of [1, 2]) {
    const result = await post(egress, `http://receiver.example:${receiver.port}/hook`)
    assert.deepEqual([result.success, result.body, result.address], [true, 'ok', '127.0.0.1'])
  }
  assert.deepEqual(proxy.requests, [
    `CONNECT 127.0.0.1:${receiver.port} HTTP/1.1\r\nHost: 127.0.0.1:${receiver.port}\r\n\r\n`,
  ])
  assert.match(receiver.requests[0] ?? '', /^POST \/hook HTTP\/1\.1\r\nhost: receiver\.example:/)
  assert.equal(receiver.sockets.length, 1)
})

test('sends userinfo as the proxy authorization, and never to the receiver', async (t) => {
  const receiver = await receiveWith(t, OK)
  const proxy = await receiveAsProxy(t)
  const egress = through(t, `http://us%40er:p%3Ass@127.0.0.1:${proxy.port}`)
  assert.equal((await post(egress, `http://receiver.example:${receiver.port}/`)).success, true)
  const credentials = Buffer.from('us@er:p:ss').toString('base64')
  assert.match(proxy.requests[0] ?? '', new RegExp(`\r\nProxy-Authorization: Basic ${credentials}\r\n\r\n$`))
  assert.doesNotMatch(receiver.requests[0] ?? '', /proxy/i)
})

test('checks addresses before it connects to the proxy', async (t) => {
  const proxy = await receiveAsProxy(t)
  const dials = recordDials(t)
  const egress = through(t, `http://127.0.0.1:${proxy.port}`, {
    resolve: async () => ['127.0.0.1', '10.0.0.1'],
  })
  assert.equal((await post(egress, 'http://mixed.example/')).error, 'refused_address')
  assert.equal((await post(egress, 'http://169.254.169.254/')).error, 'refused_address')
  assert.deepEqual(dials, [])
})

test('does not check the address of the proxy', async (t) => {
  const receiver = await receiveWith(t, OK)
  const proxy = await receiveAsProxy(t, '127.0.0.2', 'HTTP/1.0 200 ok\r\nVia: x\r\n\r\n')
  const egress = through(t, `http://proxy.example:${proxy.port}`, {
    resolve: async (name: string) => [name === 'proxy.example' ? '127.0.0.2' : '127.0.0.1'],
  })
  assert.equal((await post(egress, `http://receiver.example:${receiver.port}/`)).success, true)
  assert.equal(proxy.requests.length, 1)
})

test('fails with `connect` in bounded time when a proxy misbehaves', async (t) => {
  const cases: [string, (socket: Socket) => unknown][] = [
    ['wants credentials', (socket) => socket.write('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')],
    ['cannot reach it', (socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')],
    ['hangs up', (socket) => socket.end()],
    ['resets', (socket) => socket.resetAndDestroy()],
    ['garbage', (socket) => socket.write('SSH-2.0\r\n\r\n')],
    ['never responds', () => {}],
    ['a head without an end', (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(20_000)}`)],
  ]
  for (const [name, respond] of cases)
    await t.test(name, async (t) => {
      const proxy = await receiveConnections(t, (socket) => socket.once('data', () => respond(socket)))
      const egress = through(t, `http://127.0.0.1:${proxy.port}`, {
        limits: { connectMs: 1_500, totalMs: 60_000 },
      })
      const result = await post(egress, 'http://receiver.example/')
      assert.deepEqual([result.error, result.status], ['connect', null])
      assert.ok(result.timings.totalMs < 30_000)
      assert.equal(proxy.sockets.length, 1)
    })
})

test('rejects a proxy that is not http:// at start', (t) => {
  assert.throws(() => openEgress(t, { proxy: 'https://proxy.example' }), /must begin with http:/)
  assert.throws(() => openEgress(t, { proxy: 'socks5://proxy.example' }), /must begin with http:/)
})

test('ignores the proxy variables of the environment', async (t) => {
  const receiver = await receiveWith(t, OK)
  const trap = await receiveConnections(t, () => {})
  const proxy = `http://127.0.0.1:${trap.port}`
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
  const code = `
    import { createEgress } from ${JSON.stringify(import.meta.resolve('../index.ts'))}
    const egress = createEgress({ allowHttp: true, allowNetworks: ['127.0.0.1'], proxy: null })
    const result = await egress.post('a', { url: '${receiver.url}', headers: [], body: '{}' })
    await egress.close()
    console.log(result.success)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...Object.fromEntries(names.map((name) => [name, proxy])), NODE_USE_ENV_PROXY: '1' },
  })
  assert.equal(stdout.trim(), 'true')
  assert.deepEqual([receiver.requests.length, trap.sockets.length], [1, 0])
})
