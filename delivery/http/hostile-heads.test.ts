import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import {
  answer,
  closed,
  drip,
  flood,
  OK,
  openEgress,
  post,
  receive,
  receiveConnections,
  receiveWith,
} from './testing/receivers.ts'

const SHORT = { totalMs: 1_500 }

test('a receiver that never answers is cut at the deadline', async (t) => {
  const receiver = await receive(t, () => {})
  const result = await post(openEgress(t, { limits: SHORT }), receiver.url)
  assert.equal(result.error, 'timeout')
  assert.equal(result.status, null)
  assert.equal(result.timings.firstByteMs, null)
  assert.ok(result.timings.totalMs >= 1_500 && result.timings.totalMs < 30_000)
  assert.equal(result.address, '127.0.0.1')
  await closed(receiver)
})

test('a fresh connection that is reset or closed without an answer is a failure, and is not tried again', async (t) => {
  const misdeeds: [string, (socket: Socket) => unknown][] = [
    ['resets at once', (socket) => socket.resetAndDestroy()],
    ['closes at once', (socket) => socket.end()],
    ['resets after the request', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['closes after the request', (socket) => socket.once('data', () => socket.end())],
    ['closes within the head', (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nx: '))],
  ]
  for (const [name, misdeed] of misdeeds)
    await t.test(name, async (t) => {
      const receiver = await receiveConnections(t, misdeed)
      const result = await post(openEgress(t, { limits: { totalMs: 60_000 } }), receiver.url)
      assert.equal(result.error, 'connect')
      assert.equal(result.success, false)
      assert.equal(receiver.sockets.length, 1)
    })
})

test('a head that comes byte by byte is cut at the deadline', async (t) => {
  for (const begin of ['', 'HTTP/1.1 200 OK\r\nx: '])
    await t.test(begin === '' ? 'from its beginning' : 'after its status', async (t) => {
      const receiver = await receive(t, (socket) => {
        socket.write(begin)
        drip(socket, begin === '' ? '\r\n' : 'a', 10)
      })
      const result = await post(openEgress(t, { limits: SHORT }), receiver.url)
      assert.equal(result.error, 'timeout')
      assert.equal(result.status, null)
      assert.ok(result.timings.totalMs < 30_000)
    })
})

test('interim answers are passed over, within their number and the deadline', async (t) => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'
  const cases: [string, (socket: Socket) => unknown, string | null][] = [
    ['a few', (socket) => socket.write(`${interim}${interim}${OK}`), null],
    ['too many', (socket) => socket.write(interim.repeat(21) + OK), 'connect'],
    ['without an end, fast', (socket) => flood(socket, interim.repeat(100)), 'connect'],
    ['without an end, slow', (socket) => drip(socket, interim, 200), 'timeout'],
    ['101', (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'), 'connect'],
    [
      '101 that upgrades',
      (s) => s.write('HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      'connect',
    ],
  ]
  for (const [name, misdeed, error] of cases)
    await t.test(name, async (t) => {
      const receiver = await receive(t, misdeed)
      const limits = { totalMs: error === 'timeout' ? 1_500 : 60_000 }
      const result = await post(openEgress(t, { limits }), receiver.url)
      assert.equal(result.error, error)
      assert.equal(result.status, error === null ? 200 : null)
      assert.equal(receiver.requests.length, 1)
    })
})

test('a receiver that never reads a large body is cut at the deadline', async (t) => {
  const receiver = await receiveConnections(t, (socket) => socket.pause())
  const body = 'a'.repeat(256 * 1024)
  const result = await post(openEgress(t, { limits: SHORT }), receiver.url, { body })
  assert.equal(result.error, 'timeout')
})

test('heads out of all proportion are refused', async (t) => {
  const heads: [string, (socket: Socket) => unknown][] = [
    ['64 KiB header', (socket) => socket.write(answer('200 OK', 'ok', `X: ${'a'.repeat(65_536)}`))],
    ['100,000 headers', (socket) => socket.write(answer('200 OK', 'ok', ...Array(100_000).fill('a: b')))],
    [
      'endless status line',
      (socket) => {
        socket.write('HTTP/1.1 200 ')
        flood(socket, 'a'.repeat(16_384))
      },
    ],
  ]
  for (const [name, misdeed] of heads)
    await t.test(name, async (t) => {
      const receiver = await receive(t, misdeed)
      const result = await post(openEgress(t, { limits: { totalMs: 60_000 } }), receiver.url)
      assert.equal(result.error, 'connect')
      assert.ok(result.timings.totalMs < 30_000)
      assert.ok((receiver.sockets[0]?.bytesWritten ?? 0) < 16 * 1024 * 1024)
    })
})

test('what is no HTTP/1.1 is a broken connection', async (t) => {
  const answers: [string, string][] = [
    ['garbage', '\x00\x01\xff\xfe garbage\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['HTTP/0.9', '<html>hello</html>'],
    ['HTTP/2 frames', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    [
      'length and chunks at once',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
    ['status 099', 'HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n'],
    ['status 0', 'HTTP/1.1 0 Zero\r\nContent-Length: 0\r\n\r\n'],
    ['status 1000', 'HTTP/1.1 1000 High\r\nContent-Length: 0\r\n\r\n'],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok'],
    ['a request', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ]
  for (const [name, bytes] of answers)
    await t.test(name, async (t) => {
      const receiver = await receiveWith(t, Buffer.from(bytes, 'latin1'))
      const result = await post(openEgress(t, { limits: { totalMs: 60_000 } }), receiver.url)
      assert.equal(result.error, 'connect')
      assert.equal(result.success, false)
      assert.equal(result.status, null)
      assert.ok(result.timings.totalMs < 30_000)
      assert.equal(receiver.requests.length, 1)
    })
})

test('every status but 2xx is a failure that keeps its status', async (t) => {
  for (const status of [300, 304, 400, 404, 410, 429, 500, 503, 599, 600, 999])
    await t.test(String(status), async (t) => {
      const receiver = await receiveWith(
        t,
        answer(`${status} x`, status === 304 ? '' : 'why', 'Retry-After: 7'),
      )
      const result = await post(openEgress(t), receiver.url)
      assert.deepEqual([result.error, result.status, result.success], ['status', status, false])
      assert.equal(result.retryAfter, '7')
    })
})

test('every 2xx is success, whatever its body', async (t) => {
  const answers: [string, string][] = [
    ['200', OK],
    ['empty reason', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n'],
    ['202', answer('202 Accepted')],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['204 with a body', answer('204 No Content', 'body')],
    ['204 with bytes that nobody announced', 'HTTP/1.1 204 No Content\r\n\r\nbody'],
    ['299', answer('299 x')],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
  ]
  for (const [name, bytes] of answers)
    await t.test(name, async (t) => {
      const receiver = await receiveWith(t, bytes)
      const egress = openEgress(t)
      for (const _ of [1, 2]) {
        const result = await post(egress, receiver.url)
        assert.deepEqual([result.error, result.success], [null, true])
      }
      assert.equal(receiver.requests.length, 2)
    })
})
