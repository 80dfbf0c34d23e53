import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createConnection, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import fastify from 'fastify'
import { type EventStream, openEventStream } from './event-stream.ts'

const EVENT = { id: '1', type: 'news', data: 'x'.repeat(100_000) }

/** A stream, and the socket of a client that reads nothing of it unless the test does. */
async function openStream(t: TestContext, timeoutMs?: number): Promise<[EventStream, Socket]> {
  const opened = Promise.withResolvers<EventStream>()
  const app = fastify()
  app.get('/', async (_request, reply) => {
    opened.resolve(openEventStream(reply, async () => true, timeoutMs))
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const client = createConnection((app.server.address() as AddressInfo).port, '127.0.0.1')
  // A client that does not read is disconnected.
  client.on('error', () => {})
  t.after(async () => {
    client.destroy()
    await app.close()
  })
  client.write('GET / HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n')
  return [await opened.promise, client]
}

/** More than all buffers between here and there hold. */
async function fill(stream: EventStream): Promise<void> {
  for (let sent = 0; sent < 1_000; sent++) await stream.send(EVENT)
}

test('ignores events that are sent to an ended stream', async (t) => {
  const [stream, client] = await openStream(t)
  stream.end()
  for (let sent = 0; sent < 3; sent++) await stream.send(EVENT)
  client.resume()
  await once(client, 'close')
})

test('a client that does not read blocks its sender, and is disconnected after the idle timeout', async (t) => {
  const [stream, client] = await openStream(t, 200)
  await assert.rejects(fill(stream), { name: 'AbortError' })
  assert.equal(stream.signal.aborted, true)
  client.resume()
  await once(client, 'close')
})

test('a client that reads keeps its stream', async (t) => {
  const [stream, client] = await openStream(t)
  const filled = fill(stream)
  client.resume()
  await filled
  assert.equal(stream.signal.aborted, false)
})
