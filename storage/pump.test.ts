import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { FileTooLarge } from './file-store.ts'
import { pump } from './pump.ts'

/** Returns the bytes that were taken, and the largest number of parts in one call. */
async function pumped(content: Readable, maxBytes = 10_000_000) {
  const taken: Buffer[] = []
  let mostParts = 0
  const last = await pump(content, maxBytes, async (parts, isEnd) => {
    mostParts = Math.max(mostParts, parts.length)
    taken.push(...parts.map((part) => Buffer.from(part)))
    return isEnd
  })
  return { last, bytes: Buffer.concat(taken), mostParts }
}

const server = createServer()
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => server.close())

async function newRequest(
  head: string,
): Promise<{ socket: Socket; request: IncomingMessage; answer(): void }> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const arrived = once(server, 'request')
  socket.write(`PUT / HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n`)
  const [request, response] = await arrived
  return { socket, request, answer: () => response.writeHead(413).end() }
}

test('passes on everything in order, with one end', async () => {
  const parts = Array.from({ length: 300 }, (_, n) => Buffer.alloc(7_000, n % 251))
  const { last, bytes } = await pumped(Readable.from(parts))
  assert.equal(last, true)
  assert.ok(bytes.equals(Buffer.concat(parts)))
  assert.deepEqual(await pumped(Readable.from([])), { last: true, bytes: Buffer.alloc(0), mostParts: 0 })
})

test('combines a request that arrives byte by byte', async () => {
  const { socket, request } = await newRequest('transfer-encoding: chunked')
  const pumping = pumped(request)
  socket.end(`${'1\r\nx\r\n'.repeat(50_000)}0\r\n\r\n`)
  const { bytes, mostParts } = await pumping
  assert.equal(bytes.length, 50_000)
  assert.ok(mostParts <= 16, `${mostParts} parts`)
})

test('discards the rest of a request that is too large, so that it can get a response', async () => {
  const { socket, request, answer } = await newRequest('transfer-encoding: chunked')
  const pumping = pumped(request, 1_000_000)
  const piece = Buffer.alloc(100_000, 'x')
  for (let n = 0; n < 20; n++)
    socket.write(Buffer.concat([Buffer.from('186a0\r\n'), piece, Buffer.from('\r\n')]))
  await assert.rejects(pumping, FileTooLarge)
  answer()
  const [head] = (await once(socket, 'data')) as [Buffer]
  assert.match(String(head), /^HTTP\/1\.1 413 /)
  socket.write('0\r\n\r\n')
  await once(request, 'end')
  socket.destroy()
})

test('does not pass on a last part that exceeds the limit', async () => {
  const ends: boolean[] = []
  const content = Readable.from([Buffer.alloc(10), Buffer.alloc(10)])
  const pumping = pump(content, 15, async (_, isEnd) => void ends.push(isEnd))
  await assert.rejects(pumping, FileTooLarge)
  await new Promise(setImmediate)
  assert.deepEqual(ends, [])
})

test('rejects a stream that fails before or during reading', async () => {
  const early = await newRequest('content-length: 100')
  const closed = new Promise((resolve) => early.request.on('close', resolve))
  early.socket.destroy()
  await closed
  await assert.rejects(pumped(early.request), /aborted|premature/i)
  const late = await newRequest('content-length: 100')
  const pumping = pumped(late.request)
  late.socket.write('some of it', () => late.socket.destroy())
  await assert.rejects(pumping, /aborted|premature/i)
})

test('stops and closes the file if the consumer fails', async () => {
  const content = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(300_000)))
  let taken = 0
  const pumping = pump(content, 1e9, async () => {
    taken++
    throw new Error('no room')
  })
  await assert.rejects(pumping, /no room/)
  assert.deepEqual([taken, content.destroyed], [1, true])
})
