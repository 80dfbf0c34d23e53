import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { until } from '../../test/support/webhooks.ts'
import { maxConnectionsWithin, openFileLimit } from './connect/open-files.ts'
import {
  OK,
  openEgress,
  post,
  rawResponse,
  receive,
  receiveWith,
  requestTo,
  untilClosed,
} from './testing/receivers.ts'

const CLOSING = rawResponse('200 OK', 'ok', 'connection: close')

/** Far longer than a test takes on the busiest machine. */
const LONG = { connectionAgeMs: 600_000, totalMs: 120_000, connectMs: 120_000 }
const groupsOf = (count: number) => Array.from({ length: count }, (_, i) => `g${i}`)

test('keeps the connections to 1,500 endpoints', async (t) => {
  const receiver = await receiveWith(t, OK)
  const egress = openEgress(t, { limits: LONG })
  const round = () => Promise.all(groupsOf(1_500).map((group) => post(egress, receiver.url, { group })))
  for (const { success } of await round()) assert.equal(success, true)
  assert.equal(receiver.sockets.length, 1_500)
  for (const { success } of await round()) assert.equal(success, true)
  assert.equal(receiver.sockets.length, 1_500)
  assert.equal(egress.connections(), 1_500)
})

test('closes the least recently used idle connection at the limit', async (t) => {
  const receiver = await receiveWith(t, OK)
  const egress = openEgress(t, { limits: { ...LONG, maxConnections: 10 } })
  for (const group of groupsOf(30)) {
    assert.equal((await post(egress, receiver.url, { group })).success, true)
    assert.ok(egress.connections() <= 10)
  }
  assert.equal(receiver.sockets.length, 30)
  await Promise.all(Array.from({ length: 20 }, (_, nth) => untilClosed(receiver, nth)))
  await post(egress, receiver.url, { group: 'g20' })
  await post(egress, receiver.url, { group: 'g29' })
  assert.equal(receiver.sockets.length, 30, 'the last ten are open')
  // g20 was used again, so g21 is the least recently used.
  await post(egress, receiver.url, { group: 'new' })
  await untilClosed(receiver, 21)
  await post(egress, receiver.url, { group: 'g20' })
  assert.equal(receiver.sockets.length, 31)
})

test('completes more concurrent requests than the limit of connections, and closes the excess', async (t) => {
  const receiver = await receiveWith(t, OK)
  const egress = openEgress(t, { limits: { ...LONG, maxConnections: 10 } })
  const results = await Promise.all(groupsOf(40).map((group) => post(egress, receiver.url, { group })))
  assert.deepEqual(new Set(results.map(({ success }) => success)), new Set([true]))
  await until(
    async () => egress.connections(),
    (count) => count <= 10,
  )
})

test('requests to an endpoint share its connection when there are as many connections as allowed', async (t) => {
  const receiver = await receiveWith(t, OK)
  const egress = openEgress(t, { limits: { ...LONG, maxConnections: 40 } })
  // As the dispatcher claims: eight deliveries of each queue, some queues at a time.
  const round = async () => {
    for (const group of groupsOf(30)) {
      const results = await Promise.all(groupsOf(8).map(() => post(egress, receiver.url, { group })))
      assert.deepEqual(new Set(results.map(({ success }) => success)), new Set([true]))
    }
  }
  await round()
  await round()
  const opened = receiver.sockets.length
  await round()
  assert.equal(receiver.sockets.length, opened, 'each endpoint has kept a connection')
  await until(
    async () => egress.connections(),
    (count) => count <= 40,
  )
})

test('endpoints share the connections from their first requests on, if their number is known', async (t) => {
  const receiver = await receiveWith(t, OK)
  const egress = openEgress(t, { limits: { ...LONG, maxConnections: 40 } })
  egress.expectGroups(30)
  for (const group of groupsOf(30)) {
    const results = await Promise.all(groupsOf(8).map(() => post(egress, receiver.url, { group })))
    assert.deepEqual(new Set(results.map(({ success }) => success)), new Set([true]))
  }
  assert.equal(receiver.sockets.length, 30)
})

test('endpoints share all connections equally, also after some were closed', async (t) => {
  const receiver = await receiveWith(t, OK)
  const egress = openEgress(t, { limits: { ...LONG, maxConnections: 40, connectionTrimMs: 10 } })
  const round = () =>
    Promise.all(
      groupsOf(30).map((group) => Promise.all(groupsOf(8).map(() => post(egress, receiver.url, { group })))),
    )
  const untilTrimmed = () =>
    until(
      async () => egress.connections(),
      (count) => count === 30,
    )
  await round()
  await untilTrimmed()
  const opened = receiver.sockets.length
  await round()
  assert.equal(receiver.sockets.length, opened, 'each endpoint has kept a connection')
  assert.equal(egress.connections(), 30)
})

test('at the limit, closes a second connection of an endpoint rather than the only one of another', async (t) => {
  const waiting: Socket[] = []
  const receiver = await receive(t, (socket) => void waiting.push(socket))
  const egress = openEgress(t, { limits: { ...LONG, maxConnections: 6 } })
  const concurrently = async (group: string, count: number) => {
    const results = groupsOf(count).map(() => post(egress, receiver.url, { group }))
    await until(
      async () => waiting.length,
      (length) => length === count,
    )
    for (const socket of waiting.splice(0)) socket.write(OK)
    await Promise.all(results)
  }
  await concurrently('a', 1)
  await concurrently('b', 3)
  await concurrently('c', 2)
  assert.equal(egress.connections(), 6)
  await concurrently('new', 1)
  await concurrently('a', 1)
  assert.equal(receiver.sockets.length, 7, 'the connection of a is open, although it was idle longest')
})

test('a request opens a connection of its own when the others of its endpoint hang', async (t) => {
  const receiver = await receive(t, (socket, _request, nth) => {
    if (nth > 1) socket.write(OK)
  })
  const egress = openEgress(t, { limits: { ...LONG, maxConnections: 1 } })
  const hanging = egress.post('a', requestTo(receiver.url))
  assert.equal((await post(egress, receiver.url)).success, true)
  assert.equal(receiver.sockets.length, 2)
  await egress.close()
  assert.equal(await hanging, null)
})

test('requests wait for the only connection of their endpoint as long as it becomes free again and again', async (t) => {
  const receiver = await receive(t, (socket) => void setTimeout(() => socket.write(OK), 60))
  const egress = openEgress(t, { limits: { ...LONG, maxConnections: 1 } })
  const results = await Promise.all(groupsOf(12).map(() => post(egress, receiver.url)))
  assert.deepEqual(new Set(results.map(({ success }) => success)), new Set([true]))
  assert.equal(receiver.sockets.length, 1)
})

test('a request that waits for a connection of its endpoint opens one when that one is closed', async (t) => {
  const respond = Promise.withResolvers<() => void>()
  const receiver = await receive(t, (socket, _request, nth) => {
    if (nth > 1) return void socket.write(OK)
    respond.resolve(() => socket.end(CLOSING))
  })
  const egress = openEgress(t, { limits: { ...LONG, maxConnections: 1 } })
  const results = [post(egress, receiver.url), post(egress, receiver.url)]
  const finish = await respond.promise
  finish()
  assert.deepEqual(
    (await Promise.all(results)).map(({ success }) => success),
    [true, true],
  )
  assert.equal(receiver.sockets.length, 2)
})

test('keeps as many connections to an endpoint as it recently used concurrently', async (t) => {
  const waiting: (() => void)[] = []
  const receiver = await receive(t, (socket, _request, nth) => {
    if (nth > 8) return void socket.write(OK)
    waiting.push(() => socket.write(OK))
    if (waiting.length === 8) for (const respond of waiting) respond()
  })
  const egress = openEgress(t, { limits: { ...LONG, connectionTrimMs: 10 } })
  await Promise.all(groupsOf(8).map(() => post(egress, receiver.url)))
  assert.equal(receiver.sockets.length, 8)
  // One request at a time from now on: all connections but one are closed, one after the other.
  await until(
    async () => {
      await post(egress, receiver.url)
      return egress.connections()
    },
    (count) => count === 1,
  )
  await post(egress, receiver.url)
  assert.equal(receiver.sockets.length, 8)
})

test('the limit on connections leaves files for everything else', () => {
  assert.ok(openFileLimit() > 0)
  assert.equal(maxConnectionsWithin(1_024), 512)
  assert.equal(maxConnectionsWithin(20_000), 11_808)
  assert.equal(maxConnectionsWithin(1_048_576), 40_000)
  assert.equal(maxConnectionsWithin(Number.POSITIVE_INFINITY), 40_000)
  assert.equal(maxConnectionsWithin(1), 1)
})

interface FewFiles {
  limit: number
  maxConnections: number
  results: Record<string, number>
}

/** In a process that can have few files open. */
async function withFewFiles(url: string, mode: string): Promise<FewFiles> {
  const script = join(import.meta.dirname, 'testing/few-files.ts')
  const args = ['-c', 'ulimit -n 256 && exec "$0" "$@"', process.execPath, script, url, mode]
  const { stdout } = await promisify(execFile)('sh', args)
  return JSON.parse(stdout) as FewFiles
}

test('sends to 600 endpoints in a process that can open 256 files', async (t) => {
  const receiver = await receiveWith(t, OK)
  const { limit, maxConnections, results } = await withFewFiles(receiver.url, 'many')
  assert.deepEqual([limit, maxConnections, results], [256, 128, { success: 600 }])
})

test('a request waits while the process can open no file, and is then sent', async (t) => {
  const receiver = await receiveWith(t, OK)
  assert.deepEqual((await withFewFiles(receiver.url, 'no-files-left')).results, { success: 1 })
})

test('a request that gets no socket before its deadline has no result instead of a failure', async (t) => {
  const receiver = await receiveWith(t, OK)
  assert.deepEqual((await withFewFiles(receiver.url, 'never-any-files')).results, { 'no result': 1 })
  assert.equal(receiver.sockets.length, 0)
})
