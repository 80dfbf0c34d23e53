import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
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
  recordDials,
} from './testing/receivers.ts'

const MIB = 1024 * 1024

const head = (status: number, ...headers: string[]): string =>
  [`HTTP/1.1 ${status} x`, ...headers, '', ''].join('\r\n')

test('a 2xx whose body drips is success at once, and its connection is cut', async (t) => {
  const receiver = await receive(t, (socket) => {
    socket.write(`${head(200, 'Content-Length: 1000')}abc`)
    drip(socket, 'd')
  })
  const result = await post(openEgress(t, { limits: { totalMs: 60_000 } }), receiver.url)
  assert.deepEqual([result.success, result.status, result.error], [true, 200, null])
  assert.match(result.body, /^abcd*$/)
  assert.ok(result.timings.totalMs < 30_000)
  await closed(receiver)
})

test('a failure whose body drips keeps its status and ends at the deadline', async (t) => {
  const receiver = await receive(t, (socket) => {
    socket.write(`${head(500, 'Content-Length: 1000')}abc`)
    drip(socket, 'd')
  })
  const result = await post(openEgress(t, { limits: { totalMs: 2_000 } }), receiver.url)
  assert.deepEqual([result.error, result.status], ['status', 500])
  assert.match(result.body, /^abcd+$/)
  assert.ok(result.timings.totalMs >= 2_000 && result.timings.totalMs < 30_000)
  await closed(receiver)
})

test('a body that breaks after its head does not change what the head said', async (t) => {
  const misdeeds: [string, (socket: Socket, status: number) => unknown][] = [
    ['reset', (socket, status) => resetAfter(socket, head(status, 'Content-Length: 10'))],
    ['reset within', (socket, status) => resetAfter(socket, `${head(status, 'Content-Length: 10')}abc`)],
    ['closed within', (socket, status) => socket.end(`${head(status, 'Content-Length: 10')}abc`)],
    ['bad chunk', (socket, status) => socket.write(`${head(status, 'Transfer-Encoding: chunked')}zz\r\n`)],
    ['no length, half-closed', (socket, status) => socket.end(`${head(status)}abc`)],
  ]
  for (const [name, misdeed] of misdeeds)
    for (const status of [200, 500])
      await t.test(`${name}, ${status}`, async (t) => {
        const receiver = await receive(t, (socket) => misdeed(socket, status))
        const result = await post(
          openEgress(t, { limits: { totalMs: 60_000, graceMs: 60_000 } }),
          receiver.url,
        )
        assert.deepEqual([result.success, result.status], [status === 200, status])
        assert.equal(result.error, status === 200 ? null : 'status')
        assert.equal(receiver.requests.length, 1)
        assert.ok(result.timings.totalMs < 30_000)
      })
})

/** The reset must not overtake the bytes: they are with the kernel when the callback comes, and loopback keeps the order. */
const resetAfter = (socket: Socket, bytes: string) => socket.write(bytes, () => socket.resetAndDestroy())

test('of a body without an end only the beginning is read', async (t) => {
  const piece = 'a'.repeat(65_536)
  const bodies: [string, (socket: Socket, status: number) => void][] = [
    ['by length', (socket, status) => floodAfter(socket, head(status, 'Content-Length: 10000000000'), piece)],
    ['until the end', (socket, status) => floodAfter(socket, head(status), piece)],
    [
      'in chunks',
      (socket, status) =>
        floodAfter(socket, head(status, 'Transfer-Encoding: chunked'), `10000\r\n${piece}\r\n`),
    ],
    [
      'a chunk extension',
      (socket, status) => floodAfter(socket, `${head(status, 'Transfer-Encoding: chunked')}1;`, piece),
    ],
    [
      'trailers',
      (socket, status) =>
        floodAfter(socket, `${head(status, 'Transfer-Encoding: chunked')}0\r\n`, 'x: y\r\n'.repeat(1_000)),
    ],
  ]
  for (const [name, misdeed] of bodies)
    for (const status of [200, 500])
      await t.test(`${name}, ${status}`, async (t) => {
        const receiver = await receive(t, (socket) => misdeed(socket, status))
        const limits = { totalMs: 60_000, graceMs: 60_000 }
        const result = await post(openEgress(t, { limits }), receiver.url)
        assert.deepEqual([result.success, result.status], [status === 200, status])
        assert.ok(result.timings.totalMs < 30_000, 'it ends by the bytes, not by the time')
        assert.ok(result.body.length <= 4_096)
        await closed(receiver)
        // What the kernel takes in before it hears of the end is not read; 10 s of loopback would be gigabytes.
        assert.ok((receiver.sockets[0]?.bytesWritten ?? 0) < 16 * MIB)
      })
})

function floodAfter(socket: Socket, begin: string, piece: string): void {
  socket.write(begin)
  flood(socket, piece)
}

test('a body of 64 KiB is read to its end, a longer one is cut off', async (t) => {
  for (const [length, connections] of [
    [65_536, 1],
    [65_537, 2],
  ] as const) {
    const receiver = await receiveWith(
      t,
      answer('500 x', 'é'.repeat(length / 2).padEnd(length - 32_768, 'a')),
    )
    const egress = openEgress(t)
    for (const _ of [1, 2]) {
      const result = await post(egress, receiver.url)
      assert.deepEqual([result.status, result.body], [500, 'é'.repeat(2_048)])
    }
    assert.equal(receiver.sockets.length, connections)
  }
})

test('a gzip bomb is not inflated', async (t) => {
  // 16 members of 64 MiB are a gzip file of 1 GiB.
  const bomb = Buffer.concat(Array(16).fill(gzipSync(Buffer.alloc(64 * MIB))))
  for (const coding of ['gzip', 'gzip, gzip, gzip', 'br', 'deflate'])
    await t.test(coding, async (t) => {
      const receiver = await receive(t, (socket) => {
        socket.write(head(500, `Content-Encoding: ${coding}`, `Content-Length: ${bomb.length}`))
        socket.write(bomb)
      })
      const before = process.memoryUsage()
      const result = await post(openEgress(t), receiver.url)
      const after = process.memoryUsage()
      assert.equal(result.status, 500)
      assert.equal(result.headers['content-encoding'], coding)
      assert.ok(result.body.startsWith('\\u001f'), 'the raw bytes')
      assert.ok(after.arrayBuffers + after.heapUsed - before.arrayBuffers - before.heapUsed < 32 * MIB)
      assert.match(receiver.requests[0] ?? '', /^accept-encoding: identity\r$/m)
    })
})

test('a redirect is a failure and nothing is followed', async (t) => {
  const targets = [
    '/hook',
    'http://169.254.169.254/latest',
    'http://127.0.0.1:1/',
    'file:///etc/passwd',
    '//x',
  ]
  for (const status of [300, 301, 302, 303, 307, 308])
    await t.test(String(status), async (t) => {
      const dials = recordDials(t)
      for (const target of targets) {
        const receiver = await receiveWith(t, answer(`${status} x`, '', `Location: ${target}`))
        const result = await post(openEgress(t), receiver.url)
        assert.deepEqual([result.error, result.status], ['status', status])
        assert.equal(receiver.requests.length, 1)
        assert.equal(receiver.sockets.length, 1)
      }
      assert.deepEqual(dials, Array(targets.length).fill('127.0.0.1'))
    })
})

test('an answer before the body was sent counts, and its connection is not used again', async (t) => {
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

test('cookies, credentials and long values of an answer are not kept', async (t) => {
  const receiver = await receiveWith(
    t,
    answer(
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
    ),
  )
  const result = await post(openEgress(t), receiver.url)
  assert.deepEqual(Object.keys(result.headers).toSorted(), [
    'content-length',
    'retry-after',
    'server',
    'x-request-id',
  ])
  assert.equal(result.headers['server']?.length, 256)
  assert.equal(result.headers['x-request-id'], 'ab')
  assert.equal(result.retryAfter, '5')
  assert.equal(result.body, 'a\\u0000b\\u001b[31m\\u000d\n\ttab é \u{1F600}')
})
