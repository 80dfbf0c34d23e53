import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { startProxy } from './tcp-proxy.ts'

const received: string[] = []
const echo = createServer((socket) => {
  socket.on('error', () => {})
  socket.on('data', (data) => {
    received.push(String(data))
    socket.write(data)
  })
}).listen(0, '127.0.0.1')
await once(echo, 'listening')
const proxy = await startProxy({ host: '127.0.0.1', port: (echo.address() as AddressInfo).port })
after(async () => {
  await proxy.stop()
  echo.close()
})

async function connect(): Promise<Socket> {
  const socket = createConnection(proxy.port, '127.0.0.1')
  await new Promise((resolve) => socket.on('connect', resolve).on('error', resolve))
  return socket
}

const closed = (socket: Socket): Promise<string> =>
  new Promise((resolve) => (socket.closed ? resolve('closed') : socket.on('close', () => resolve('closed'))))

async function send(socket: Socket, text: string): Promise<string> {
  socket.write(text)
  const response = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
  return Promise.race([response, closed(socket)])
}

const sendIntoSilence = (socket: Socket, text: string): Promise<string> =>
  Promise.race([send(socket, text), pause(300, 'silence')])

test('passes bytes; after a cut of all connections, those of new ones', async () => {
  const socket = await connect()
  assert.equal(await send(socket, 'before'), 'before')
  assert.ok(proxy.cut() >= 1)
  await closed(socket)
  const another = await connect()
  assert.equal(await send(another, 'after'), 'after')
  another.destroy()
})

test('drops all bytes in a black hole; later only new connections work', async () => {
  const old = await connect()
  assert.equal(await send(old, 'before'), 'before')
  proxy.set('black hole')
  assert.equal(await sendIntoSilence(old, 'lost'), 'silence')
  assert.equal(await sendIntoSilence(await connect(), 'lost'), 'silence')
  proxy.set('pass')
  assert.equal(await sendIntoSilence(old, 'lost too'), 'silence')
  const another = await connect()
  assert.equal(await send(another, 'after'), 'after')
  proxy.cutSilent()
  await closed(old)
  assert.equal(await send(another, 'still open'), 'still open')
  assert.ok(!received.some((text) => text.startsWith('lost')))
})

test('delays bytes, and keeps their order when the delay becomes shorter', async () => {
  const socket = await connect()
  proxy.delay(50)
  const began = performance.now()
  socket.write('one ')
  while (proxy.pending() === 0) await nextTurn()
  proxy.delay(0)
  socket.write('two')
  let response = ''
  while (response.length < 'one two'.length) response += String((await once(socket, 'data'))[0])
  assert.equal(response, 'one two')
  assert.ok(performance.now() - began >= 50)
  socket.destroy()
})

test('drops the response to one statement that the server has executed', async () => {
  const [socket, other] = [await connect(), await connect()]
  const dropped = proxy.dropResponseTo('commit')
  assert.equal(await send(socket, 'begin'), 'begin')
  assert.equal(await send(socket, 'commit'), 'closed')
  await dropped
  assert.ok(received.includes('commit'))
  assert.equal(await send(other, 'commit'), 'commit')
  other.destroy()
})
