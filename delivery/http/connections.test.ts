import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../test/support/webhooks.ts'
import {
  OK,
  openEgress,
  post,
  rawResponse,
  receive,
  receiveConnections,
  receiveWith,
  recordDials,
  requestTo,
  untilClosed,
} from './testing/receivers.ts'

test('sends exactly the expected bytes', async (t) => {
  const receiver = await receiveWith(t, OK)
  await post(openEgress(t), `${receiver.url}/a%20b?c=d`, { body: '{"é":1}' })
  assert.equal(
    receiver.requests[0],
    [
      'POST /hook/a%20b?c=d HTTP/1.1',
      `host: 127.0.0.1:${receiver.port}`,
      'connection: keep-alive',
      'accept-encoding: identity',
      'content-type: application/json',
      'x-service-attempt: 1',
      'content-length: 8',
      '',
      Buffer.from('{"é":1}').toString('latin1'),
    ].join('\r\n'),
  )
})

test('a group reuses its connection, and only the first request has timings of connecting', async (t) => {
  const receiver = await receiveWith(t, OK)
  const egress = openEgress(t)
  const first = await post(egress, receiver.url)
  const second = await post(egress, receiver.url)
  assert.equal(receiver.sockets.length, 1)
  assert.ok(first.timings.connectMs !== null && first.timings.firstByteMs !== null)
  assert.equal(first.timings.dnsMs, null, 'an address needs no DNS lookup')
  assert.deepEqual([second.timings.dnsMs, second.timings.connectMs, second.timings.tlsMs], [null, null, null])
  assert.ok(second.timings.firstByteMs !== null && second.timings.firstByteMs <= second.timings.totalMs)
  for (const { address, opened, success } of [first, second])
    assert.deepEqual([address, opened, success], ['127.0.0.1', true, true])
})

test('does not mix up responses that arrive in pieces on several connections', async (t) => {
  const names = ['one', 'two', 'three', 'four']
  const waiting = new Map<string, Socket>()
  const receiver = await receive(t, (socket, request) => {
    waiting.set(request.slice(request.indexOf('\r\n\r\n') + 4), socket)
    if (waiting.size === names.length) void respondInTurns(waiting)
  })
  const egress = openEgress(t, { limits: { graceMs: 5_000 } })
  const results = await Promise.all(names.map((name) => post(egress, receiver.url, { body: name })))
  assert.deepEqual(
    results.map(({ body, headers }) => [body, headers['server']]),
    names.map((name) => [`the body of ${name}`, name]),
  )
})

/** A few bytes to each socket in turn, so that every head and body is read in pieces. */
async function respondInTurns(waiting: Map<string, Socket>): Promise<void> {
  const left = new Map(
    [...waiting].map(([name, socket]) => [
      socket,
      rawResponse('200 OK', `the body of ${name}`, `Server: ${name}`),
    ]),
  )
  while (left.size > 0) {
    for (const [socket, text] of left) {
      socket.write(text.slice(0, 7))
      if (text.length > 7) left.set(socket, text.slice(7))
      else left.delete(socket)
    }
    await pause(2)
  }
}

test('two groups never share a connection', async (t) => {
  const receiver = await receiveWith(t, OK)
  const egress = openEgress(t)
  for (const group of ['a', 'b', 'a', 'b']) await post(egress, receiver.url, { group })
  assert.equal(receiver.sockets.length, 2)
})

test('concurrent requests have a connection each, and the connections are reused', async (t) => {
  const receiver = await receiveWith(t, OK)
  const egress = openEgress(t)
  for (const _ of [1, 2, 3]) {
    const results = await Promise.all(Array.from({ length: 8 }, () => post(egress, receiver.url)))
    assert.ok(results.every(({ success }) => success))
  }
  assert.equal(receiver.sockets.length, 8)
})

test('does not reuse a connection for another origin', async (t) => {
  const [one, other] = await Promise.all([receiveWith(t, OK), receiveWith(t, OK)])
  const egress = openEgress(t)
  await post(egress, one.url)
  await post(egress, other.url)
  assert.deepEqual([one.requests.length, other.requests.length], [1, 1])
})

test('obeys Connection: close', async (t) => {
  const receiver = await receiveWith(t, rawResponse('200 OK', 'ok', 'Connection: close'))
  const egress = openEgress(t)
  for (const _ of [1, 2]) assert.equal((await post(egress, receiver.url)).success, true)
  assert.equal(receiver.sockets.length, 2)
})

test('retries on a new connection when the receiver closes a reused one under a request', async (t) => {
  const closings: [string, (socket: Socket) => unknown][] = [
    ['closed', (socket) => socket.end()],
    ['reset', (socket) => socket.resetAndDestroy()],
  ]
  for (const [name, shut] of closings)
    await t.test(name, async (t) => {
      const receiver = await receive(t, (socket, _, nth) => (nth === 2 ? shut(socket) : socket.write(OK)))
      const egress = openEgress(t)
      await post(egress, receiver.url)
      const result = await post(egress, receiver.url)
      assert.deepEqual([result.success, receiver.requests.length, receiver.sockets.length], [true, 3, 2])
      assert.notEqual(result.timings.connectMs, null)
    })
})

test('gives up after one retry', async (t) => {
  const receiver = await receive(t, (socket, _, nth) => (nth === 1 ? socket.write(OK) : socket.end()))
  const egress = openEgress(t)
  await post(egress, receiver.url)
  const result = await post(egress, receiver.url)
  assert.deepEqual([result.error, receiver.requests.length], ['connect', 3])
})

test('does not send a request again after bytes of a response', async (t) => {
  for (const bytes of ['H', 'HTTP/1.1 200', 'garbage'])
    await t.test(bytes, async (t) => {
      const receiver = await receive(t, (socket, _, nth) =>
        nth === 1 ? socket.write(OK) : socket.end(bytes),
      )
      const egress = openEgress(t)
      await post(egress, receiver.url)
      const result = await post(egress, receiver.url)
      assert.deepEqual([result.error, receiver.requests.length], ['connect', 2])
    })
})

test('a retry has only the rest of the deadline', async (t) => {
  const receiver = await receive(t, (socket, _, nth) => {
    if (nth === 1) socket.write(OK)
    if (nth === 2) setTimeout(() => socket.end(), 100)
  })
  const egress = openEgress(t, { limits: { totalMs: 2_000 } })
  await post(egress, receiver.url)
  const result = await post(egress, receiver.url)
  assert.equal(receiver.requests.length, 3)
  assert.equal(result.error, 'timeout')
  assert.ok(result.timings.totalMs >= 2_000)
})

test('a connection that was closed while idle causes no failure', async (t) => {
  const receiver = await receive(t, (socket) => socket.end(OK))
  const egress = openEgress(t)
  for (const nth of [0, 1, 2]) {
    assert.equal((await post(egress, receiver.url)).success, true)
    await untilClosed(receiver, nth)
  }
  assert.equal(receiver.requests.length, 3)
})

test('closes an idle connection that receives unsolicited bytes', async (t) => {
  const receiver = await receive(t, (socket) => socket.write(OK))
  const egress = openEgress(t)
  await post(egress, receiver.url)
  receiver.sockets[0]?.write(rawResponse('200 OK', 'poison'))
  await untilClosed(receiver)
  assert.equal((await post(egress, receiver.url)).body, 'ok')
  assert.equal(receiver.sockets.length, 2)
})

test('never takes bytes after a response for the next response', async (t) => {
  // As much as one read returns, so that the next bytes arrive with another read in the same turn.
  const head = 'HTTP/1.1 500 x\r\nContent-Length: '
  const body = 'a'.repeat(65_536 - `${head}65000\r\n\r\n`.length)
  const whole = `${head}${body.length}\r\n\r\n${body}`
  assert.equal(whole.length, 65_536)
  const receiver = await receive(t, (socket) => socket.write(whole + rawResponse('200 OK', 'stale')))
  const egress = openEgress(t)
  for (const requests of [1, 2, 3]) {
    const { status } = await post(egress, receiver.url)
    assert.deepEqual([status, receiver.requests.length], [500, requests])
  }
})

test('closes an idle connection before the keep-alive timeout, but not one in use', async (t) => {
  const kept = rawResponse('200 OK', 'ok', 'Keep-Alive: timeout=2')
  const arrived: Socket[] = []
  const receiver = await receive(t, (socket) => void arrived.push(socket))
  const egress = openEgress(t)
  const untilArrived = (count: number) =>
    until(
      async () => arrived.length,
      (length) => length === count,
    )
  const first = [post(egress, receiver.url), post(egress, receiver.url)]
  await untilArrived(2)
  for (const socket of arrived) socket.write(kept)
  await Promise.all(first)
  const later = post(egress, receiver.url)
  await untilArrived(3)
  const inUse = arrived[2]
  const idle = receiver.sockets.find((socket) => socket !== inUse)
  assert.ok(inUse && idle)
  if (!idle.closed) await once(idle, 'close')
  assert.equal(inUse.closed, false)
  inUse.write(kept)
  assert.equal((await later).success, true)
  assert.equal(receiver.sockets.length, 2)
  await untilClosed(receiver)
})

test('does not send a header that contains a line break, and opens no connection', async (t) => {
  const receiver = await receiveWith(t, OK)
  const request = { ...requestTo(receiver.url), headers: ['x-a', 'b\r\nx-c: d'] }
  const result = await openEgress(t).post('a', request)
  assert.deepEqual([result?.error, result?.detail], ['connect', 'header'])
  assert.equal(receiver.sockets.length, 0)
})

test('closes an old connection, and refuses a name that now resolves to a refused address', async (t) => {
  const receiver = await receiveWith(t, OK)
  const dials = recordDials(t)
  let address = '127.0.0.1'
  const egress = openEgress(t, { resolve: async () => [address], limits: { connectionAgeMs: 100 } })
  const url = `http://receiver.example:${receiver.port}/`
  assert.equal((await post(egress, url)).success, true)
  address = '127.0.0.2'
  await untilClosed(receiver)
  const result = await post(egress, url)
  assert.deepEqual([result.error, result.address, result.opened], ['refused_address', null, false])
  assert.deepEqual(dials, ['127.0.0.1'])
})

test('resolves the name again for a connection in constant use', async (t) => {
  const receiver = await receiveWith(t, OK)
  let lookups = 0
  const resolve = async () => {
    lookups++
    return ['127.0.0.1']
  }
  const egress = openEgress(t, { resolve, limits: { connectionAgeMs: 60 } })
  while (lookups < 3) await post(egress, `http://receiver.example:${receiver.port}/`)
  assert.equal(lookups, receiver.sockets.length)
})

test('connects to an IPv6 address', async (t) => {
  const receiver = await receive(t, (socket) => socket.write(OK), '::1').catch(() => null)
  if (receiver === null) return t.skip('this machine has no IPv6')
  const result = await post(openEgress(t, { allowNetworks: ['::1'] }), `http://[::1]:${receiver.port}/`)
  assert.deepEqual([result.success, result.address], [true, '::1'])
  assert.match(receiver.requests[0] ?? '', /^host: \[::1\]:/m)
})

test('forget closes idle connections, and one in use after its response', async (t) => {
  const requested = Promise.withResolvers<Socket>()
  const receiver = await receive(t, (socket, _, nth) =>
    nth < 3 ? socket.write(OK) : requested.resolve(socket),
  )
  const egress = openEgress(t)
  await Promise.all([post(egress, receiver.url), post(egress, receiver.url)])
  const inFlight = post(egress, receiver.url)
  const socket = await requested.promise
  egress.forget('a')
  const idle = receiver.sockets.findIndex((each) => each !== socket)
  await untilClosed(receiver, idle)
  socket.write(OK)
  assert.equal((await inFlight).success, true)
  await untilClosed(receiver, 1 - idle)
})

test('close aborts all requests, and every post resolves with null', async (t) => {
  const requested = Promise.withResolvers<void>()
  const silent = await receive(t, () => requested.resolve())
  const egress = openEgress(t, { resolve: () => new Promise(() => {}) })
  const posts = [silent.url, 'http://name.example/'].map((url) => egress.post('a', requestTo(url)))
  await requested.promise
  await egress.close()
  assert.deepEqual(await Promise.all(posts), [null, null])
  await untilClosed(silent)
  assert.equal(await egress.post('a', requestTo(silent.url)), null)
})

test('refuses http: at the time of sending unless the setting allows it', async (t) => {
  const receiver = await receiveWith(t, OK)
  const result = await post(openEgress(t, { allowHttp: false }), receiver.url)
  assert.deepEqual([result.error, result.address], ['refused_address', null])
  assert.equal(receiver.sockets.length, 0)
})

test('refuses a peer that is not the checked address', async (t) => {
  const receiver = await receiveWith(t, OK)
  // Linux takes 0.0.0.0 for 127.0.0.1.
  const egress = openEgress(t, { allowNetworks: ['0.0.0.0', '127.0.0.1'] })
  const result = await post(egress, `http://0.0.0.0:${receiver.port}/`)
  assert.deepEqual([result.error, result.detail], ['refused_address', 'other_peer'])
  assert.equal(receiver.requests.length, 0)
})

test('a closed port is a failure to connect', async (t) => {
  const receiver = await receiveConnections(t, () => {})
  const egress = openEgress(t)
  const url = receiver.url.replace(/:\d+/, ':1')
  const result = await post(egress, url)
  assert.deepEqual([result.error, result.address, result.detail], ['connect', '127.0.0.1', 'ECONNREFUSED'])
})

test('a receiver that does not respond does not delay another', async (t) => {
  const hanging = await receive(t, () => {})
  const healthy = await receiveWith(t, OK)
  const egress = openEgress(t, { limits: { totalMs: 5_000 } })
  let ended = 0
  const stuck = Array.from({ length: 200 }, (_, i) =>
    post(egress, hanging.url, { group: `h${i % 25}` }).finally(() => ended++),
  )
  for (let i = 0; i < 50; i++) assert.ok((await post(egress, healthy.url, { group: 'x' })).success)
  assert.equal(ended, 0, 'every request to the healthy receiver ended while the others hung')
  assert.ok((await Promise.all(stuck)).every(({ error }) => error === 'timeout'))
})
