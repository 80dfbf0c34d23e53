import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { startProxy, type TcpProxy } from './tcp-proxy.ts'

describe('the proxy', () => {
  const heard: string[] = []
  let echo: Server
  let proxy: TcpProxy
  before(async () => {
    echo = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (data) => {
        heard.push(String(data))
        socket.write(data)
      })
    }).listen(0, '127.0.0.1')
    await once(echo, 'listening')
    proxy = await startProxy({ host: '127.0.0.1', port: (echo.address() as AddressInfo).port })
  })
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
    new Promise((resolve) =>
      socket.closed ? resolve('closed') : socket.on('close', () => resolve('closed')),
    )

  async function answer(socket: Socket, words: string): Promise<string> {
    socket.write(words)
    const said = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
    return Promise.race([said, closed(socket)])
  }

  /** For as long as it takes to be sure of it. */
  const silence = (socket: Socket, words: string): Promise<string> =>
    Promise.race([answer(socket, words), pause(300, 'silence')])

  it('passes what is said', async () => {
    const socket = await connect()
    assert.equal(await answer(socket, 'hello'), 'hello')
    socket.destroy()
  })

  it('cuts every connection, and takes new ones', async () => {
    const socket = await connect()
    assert.equal(await answer(socket, 'before'), 'before')
    assert.ok(proxy.cut() >= 1)
    await closed(socket)
    const another = await connect()
    assert.equal(await answer(another, 'after'), 'after')
    another.destroy()
  })

  it('swallows everything in a black hole; what it swallowed from stays silent, new connections pass', async () => {
    const old = await connect()
    assert.equal(await answer(old, 'before'), 'before')
    proxy.set('black hole')
    assert.equal(await silence(old, 'lost'), 'silence')
    assert.equal(await silence(await connect(), 'lost'), 'silence')
    proxy.set('pass')
    assert.equal(await silence(old, 'lost too'), 'silence')
    assert.equal(await answer(await connect(), 'after'), 'after')
    assert.ok(!heard.some((words) => words.startsWith('lost')))
  })

  it('refuses', async () => {
    proxy.set('refuse')
    assert.equal(await answer(await connect(), 'hello'), 'closed')
    proxy.set('pass')
  })

  it('delays, and keeps the order when the delay shrinks', async () => {
    const socket = await connect()
    proxy.delay(50)
    const began = performance.now()
    socket.write('one ')
    while (proxy.underWay() === 0) await nextTurn()
    proxy.delay(0)
    socket.write('two')
    let said = ''
    while (said.length < 'one two'.length) said += String((await once(socket, 'data'))[0])
    assert.equal(said, 'one two')
    assert.ok(performance.now() - began >= 50)
    socket.destroy()
  })

  it('loses the answer to one statement, which was done', async () => {
    const [socket, other] = [await connect(), await connect()]
    const lost = proxy.loseAnswerTo('commit')
    assert.equal(await answer(socket, 'begin'), 'begin')
    assert.equal(await answer(socket, 'commit'), 'closed')
    await lost
    assert.ok(heard.includes('commit'))
    assert.equal(await answer(other, 'commit'), 'commit')
    other.destroy()
  })
})
