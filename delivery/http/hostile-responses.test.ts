import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { EgressLimits } from './index.ts'
import {
  drip,
  flood,
  OK,
  openEgress,
  post,
  rawResponse,
  receive,
  receiveConnections,
  receiveWith,
  recordDials,
  untilClosed,
} from './testing/receivers.ts'

const MIB = 1024 * 1024
const SHORT = { totalMs: 1_500 }
/** Nothing ends by time. */
const LONG = { totalMs: 60_000, graceMs: 60_000 }

const head = (status: number, ...headers: string[]): string =>
  [`HTTP/1.1 ${status} x`, ...headers, '', ''].join('\r\n')

/** One POST to a receiver that does this with each request. */
async function postTo(t: TestContext, respond: (socket: Socket) => unknown, limits: Partial<EgressLimits>) {
  const receiver = await receive(t, respond)
  const result = await post(openEgress(t, { limits }), receiver.url)
  return { receiver, result }
}

const writeAll = (bytes: string) => (socket: Socket) => socket.write(Buffer.from(bytes, 'latin1'))

test('times out when a receiver never responds', async (t) => {
  const { receiver, result } = await postTo(t, () => {}, SHORT)
  assert.deepEqual([result.error, result.status, result.timings.firstByteMs], ['timeout', null, null])
  assert.ok(result.timings.totalMs >= 1_500 && result.timings.totalMs < 30_000)
  assert.equal(result.address, '127.0.0.1')
  await untilClosed(receiver)
})

test('times out when the head arrives byte by byte', async (t) => {
  for (const begin of ['', 'HTTP/1.1 200 OK\r\nx: '])
    await t.test(begin === '' ? 'from its beginning' : 'after its status', async (t) => {
      const slowly = (socket: Socket) => {
        socket.write(begin)
        drip(socket, begin === '' ? '\r\n' : 'a', 10)
      }
      const { result } = await postTo(t, slowly, SHORT)
      assert.deepEqual([result.error, result.status], ['timeout', null])
      assert.ok(result.timings.totalMs < 30_000)
    })
})

test('times out when a receiver never reads a large body', async (t) => {
  const receiver = await receiveConnections(t, (socket) => socket.pause())
  const body = 'a'.repeat(256 * 1024)
  const result = await post(openEgress(t, { limits: SHORT }), receiver.url, { body })
  assert.equal(result.error, 'timeout')
})

test('does not retry on a new connection that is reset or closed without a response', async (t) => {
  const cases: [string, (socket: Socket) => unknown][] = [
    ['resets immediately', (socket) => socket.resetAndDestroy()],
    ['closes immediately', (socket) => socket.end()],
    ['resets after the request', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['closes after the request', (socket) => socket.once('data', () => socket.end())],
    ['closes within the head', (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nx: '))],
  ]
  for (const [name, onSocket] of cases)
    await t.test(name, async (t) => {
      const receiver = await receiveConnections(t, onSocket)
      const result = await post(openEgress(t, { limits: LONG }), receiver.url)
      assert.deepEqual([result.error, result.success, receiver.sockets.length], ['connect', false, 1])
    })
})

test('skips interim responses, up to a number and the deadline', async (t) => {
  const interim = 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'
  const upgrade = 'HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'
  const cases: [string, (socket: Socket) => unknown, string | null][] = [
    ['a few', writeAll(`${interim}${interim}${OK}`), null],
    ['too many', writeAll(interim.repeat(21) + OK), 'connect'],
    ['without an end, fast', (socket) => flood(socket, interim.repeat(100)), 'connect'],
    ['without an end, slow', (socket) => drip(socket, interim, 200), 'timeout'],
    ['101', writeAll('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'), 'connect'],
    ['101 that upgrades', writeAll(upgrade), 'connect'],
  ]
  for (const [name, respond, error] of cases)
    await t.test(name, async (t) => {
      const { receiver, result } = await postTo(t, respond, error === 'timeout' ? SHORT : LONG)
      assert.deepEqual([result.error, result.status], [error, error === null ? 200 : null])
      assert.equal(receiver.requests.length, 1)
    })
})

test('refuses heads that are too large', async (t) => {
  const cases: [string, (socket: Socket) => unknown][] = [
    ['64 KiB header', writeAll(rawResponse('200 OK', 'ok', `X: ${'a'.repeat(65_536)}`))],
    ['100,000 headers', writeAll(rawResponse('200 OK', 'ok', ...Array(100_000).fill('a: b')))],
    ['endless status line', (socket) => floodAfter(socket, 'HTTP/1.1 200 ', 'a'.repeat(16_384))],
  ]
  for (const [name, respond] of cases)
    await t.test(name, async (t) => {
      const { receiver, result } = await postTo(t, respond, LONG)
      assert.equal(result.error, 'connect')
      assert.ok(result.timings.totalMs < 30_000)
      assert.ok((receiver.sockets[0]?.bytesWritten ?? 0) < 16 * MIB)
    })
})

test('treats everything but HTTP/1.1 as a broken connection', async (t) => {
  const cases: [string, string][] = [
    ['garbage', '\x00\x01\xff\xfe garbage\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['HTTP/0.9', '<html>hello</html>'],
    ['HTTP/2 frames', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    [
      'length and chunks together',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok'],
    ['status 099', 'HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n'],
    ['status 0', 'HTTP/1.1 0 Zero\r\nContent-Length: 0\r\n\r\n'],
    ['status 1000', 'HTTP/1.1 1000 High\r\nContent-Length: 0\r\n\r\n'],
    ['bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok'],
    ['a request', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ]
  for (const [name, bytes] of cases)
    await t.test(name, async (t) => {
      const { receiver, result } = await postTo(t, writeAll(bytes), LONG)
      assert.deepEqual([result.error, result.success, result.status], ['connect', false, null])
      assert.ok(result.timings.totalMs < 30_000)
      assert.equal(receiver.requests.length, 1)
    })
})

test('fails on every status but 2xx, and keeps the status', async (t) => {
  for (const status of [300, 304, 400, 404, 410, 429, 500, 503, 599, 600, 999])
    await t.test(String(status), async (t) => {
      const response = rawResponse(`${status} x`, status === 304 ? '' : 'why', 'Retry-After: 7')
      const { result } = await postTo(t, writeAll(response), {})
      assert.deepEqual([result.error, result.status, result.success], ['status', status, false])
      assert.equal(result.retryAfter, '7')
    })
})

test('succeeds on every 2xx, whatever its body', async (t) => {
  const cases: [string, string][] = [
    ['200', OK],
    ['empty reason', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n'],
    ['202', rawResponse('202 Accepted')],
    ['204', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['204 with a body', rawResponse('204 No Content', 'body')],
    ['204 with unannounced bytes', 'HTTP/1.1 204 No Content\r\n\r\nbody'],
    ['299', rawResponse('299 x')],
    ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
  ]
  for (const [name, bytes] of cases)
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

test('a slow body of a 2xx is cut after the grace period, that of a failure at the deadline', async (t) => {
  for (const [status, totalMs] of [
    [200, 60_000],
    [500, 2_000],
  ] as const)
    await t.test(String(status), async (t) => {
      const slowly = (socket: Socket) => {
        socket.write(`${head(status, 'Content-Length: 1000')}abc`)
        drip(socket, 'd')
      }
      const { receiver, result } = await postTo(t, slowly, { totalMs })
      assert.deepEqual([result.success, result.status], [status === 200, status])
      assert.equal(result.error, status === 200 ? null : 'status')
      assert.match(result.body, status === 200 ? /^abcd*$/ : /^abcd+$/)
      assert.ok(result.timings.totalMs < 30_000 && (status === 200 || result.timings.totalMs >= 2_000))
      await untilClosed(receiver)
    })
})

/** The reset must not overtake the bytes: the kernel has them when the callback runs, and loopback keeps the order. */
const resetAfter = (socket: Socket, bytes: string) => socket.write(bytes, () => socket.resetAndDestroy())

function floodAfter(socket: Socket, begin: string, piece: string): void {
  socket.write(begin)
  flood(socket, piece)
}

type Body = [name: string, respond: (socket: Socket, status: number) => unknown]

test('a body that breaks after its head does not change the result', async (t) => {
  const bodies: Body[] = [
    ['reset', (socket, status) => resetAfter(socket, head(status, 'Content-Length: 10'))],
    ['reset within', (socket, status) => resetAfter(socket, `${head(status, 'Content-Length: 10')}abc`)],
    ['closed within', (socket, status) => socket.end(`${head(status, 'Content-Length: 10')}abc`)],
    ['bad chunk', (socket, status) => socket.write(`${head(status, 'Transfer-Encoding: chunked')}zz\r\n`)],
    ['no length, half-closed', (socket, status) => socket.end(`${head(status)}abc`)],
  ]
  for (const [name, respond] of bodies)
    for (const status of [200, 500])
      await t.test(`${name}, ${status}`, async (t) => {
        const { receiver, result } = await postTo(t, (socket) => respond(socket, status), LONG)
        assert.deepEqual([result.success, result.status], [status === 200, status])
        assert.equal(result.error, status === 200 ? null : 'status')
        assert.equal(receiver.requests.length, 1)
        assert.ok(result.timings.totalMs < 30_000)
      })
})

test('reads only the beginning of an endless body', async (t) => {
  const piece = 'a'.repeat(65_536)
  const chunked = (status: number) => head(status, 'Transfer-Encoding: chunked')
  const bodies: Body[] = [
    ['by length', (socket, status) => floodAfter(socket, head(status, 'Content-Length: 10000000000'), piece)],
    ['until the end', (socket, status) => floodAfter(socket, head(status), piece)],
    ['in chunks', (socket, status) => floodAfter(socket, chunked(status), `10000\r\n${piece}\r\n`)],
    ['a chunk extension', (socket, status) => floodAfter(socket, `${chunked(status)}1;`, piece)],
    ['trailers', (socket, status) => floodAfter(socket, `${chunked(status)}0\r\n`, 'x: y\r\n'.repeat(1_000))],
  ]
  for (const [name, respond] of bodies)
    for (const status of [200, 500])
      await t.test(`${name}, ${status}`, async (t) => {
        const { receiver, result } = await postTo(t, (socket) => respond(socket, status), LONG)
        assert.deepEqual([result.success, result.status], [status === 200, status])
        assert.ok(result.timings.totalMs < 30_000, 'ends by bytes, not by time')
        assert.ok(result.body.length <= 4_096)
        await untilClosed(receiver)
        // The kernel accepts some bytes after the end; 10 s of loopback would be gigabytes.
        assert.ok((receiver.sockets[0]?.bytesWritten ?? 0) < 16 * MIB)
      })
})

test('reads a body of 64 KiB to its end, and aborts a longer one', async (t) => {
  for (const [length, connections] of [
    [65_536, 1],
    [65_537, 2],
  ] as const) {
    const body = 'é'.repeat(length / 2).padEnd(length - 32_768, 'a')
    const receiver = await receiveWith(t, rawResponse('500 x', body))
    const egress = openEgress(t)
    for (const _ of [1, 2]) {
      const result = await post(egress, receiver.url)
      assert.deepEqual([result.status, result.body], [500, 'é'.repeat(2_048)])
    }
    assert.equal(receiver.sockets.length, connections)
  }
})

test('does not decompress a gzip bomb', async (t) => {
  // 16 members of 64 MiB are a gzip file of 1 GiB.
  const bomb = Buffer.concat(Array(16).fill(gzipSync(Buffer.alloc(64 * MIB))))
  for (const coding of ['gzip', 'gzip, gzip, gzip', 'br', 'deflate'])
    await t.test(coding, async (t) => {
      const before = process.memoryUsage()
      const respond = (socket: Socket) => {
        socket.write(head(500, `Content-Encoding: ${coding}`, `Content-Length: ${bomb.length}`))
        socket.write(bomb)
      }
      const { receiver, result } = await postTo(t, respond, {})
      const after = process.memoryUsage()
      assert.deepEqual([result.status, result.headers['content-encoding']], [500, coding])
      assert.ok(result.body.startsWith('\\u001f'), 'the raw bytes')
      assert.ok(after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed < 32 * MIB)
      assert.match(receiver.requests[0] ?? '', /^accept-encoding: identity\r$/m)
    })
})

test('fails on a redirect and does not follow it', async (t) => {
  const metadata = 'http://169.254.169.254/latest'
  const targets = ['/hook', metadata, 'http://127.0.0.1:1/', 'file:///etc/passwd', '//x']
  for (const status of [300, 301, 302, 303, 307, 308])
    await t.test(String(status), async (t) => {
      const dials = recordDials(t)
      for (const target of targets) {
        const response = rawResponse(`${status} x`, '', `Location: ${target}`)
        const { receiver, result } = await postTo(t, writeAll(response), {})
        assert.deepEqual([result.error, result.status], ['status', status])
        assert.deepEqual([receiver.requests.length, receiver.sockets.length], [1, 1])
      }
      assert.deepEqual(dials, Array(targets.length).fill('127.0.0.1'))
    })
})

test('accepts a response before the whole request was sent, and does not reuse the connection', async (t) => {
  const receiver = await receiveConnections(t, (socket) => {
    socket.once('data', () => {
      socket.pause()
      socket.write(OK)
    })
  })
  const egress = openEgress(t, { limits: { totalMs: 60_000 } })
  const body = 'a'.repeat(16 * MIB)
  for (const _ of [1, 2]) assert.equal((await post(egress, receiver.url, { body })).success, true)
  assert.equal(receiver.sockets.length, 2)
})

test('does not keep cookies, credentials and long header values', async (t) => {
  const response = rawResponse(
    '500 x',
    'a\u0000b\u001b[31m\r\n\ttab é \u{1F600}',
    'Set-Cookie: session=secret',
    'WWW-Authenticate: Basic realm=x',
    `Server: ${'s'.repeat(1_000)}`,
    'X-Request-Id: a\tb',
    'Retry-After: 5',
    'Retry-After: 9',
    '__proto__: x',
    'constructor: y',
  )
  const { headers, retryAfter, body } = await post(openEgress(t), (await receiveWith(t, response)).url)
  const kept = ['content-length', 'retry-after', 'server', 'x-request-id']
  assert.deepEqual(Object.keys(headers).toSorted(), kept)
  assert.equal(headers['server']?.length, 256)
  assert.equal(headers['x-request-id'], 'ab')
  assert.equal(retryAfter, '5')
  assert.equal(body, 'a\\u0000b\\u001b[31m\\u000d\n\ttab é \u{1F600}')
})
