import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startBalancer } from './balancer.ts'

async function startServer(name: string): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '10' }).write('half')
      setImmediate(() => request.socket.resetAndDestroy())
    } else response.end(name)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const get = async (url: string): Promise<string> =>
  (await fetch(url, { headers: { connection: 'close' } })).text()

test('connections go to all addresses in turn, and to the others when one refuses', async (t) => {
  const all = await Promise.all(['one', 'two', 'three'].map(startServer))
  const balancer = await startBalancer(() => all.map(({ url }) => url))
  t.after(async () => {
    await balancer.stop()
    for (const { server } of all) server.close()
  })
  const answers = async () => {
    const names: string[] = []
    for (let n = 0; n < 6; n++) names.push(await get(balancer.url))
    return names.toSorted().join(' ')
  }
  assert.equal(await answers(), 'one one three three two two')
  all[1]?.server.close()
  assert.match(await answers(), /^one( one)+ three( three)+$/)
})

test('a connection that the server resets is reset for the client', async (t) => {
  const { server, url } = await startServer('one')
  const balancer = await startBalancer(() => [url])
  t.after(async () => {
    await balancer.stop()
    server.close()
  })
  await assert.rejects(get(`${balancer.url}/cut`))
  assert.equal(await get(balancer.url), 'one')
})

test('without any address the client is disconnected', async (t) => {
  const balancer = await startBalancer(() => [])
  t.after(() => balancer.stop())
  await assert.rejects(get(balancer.url))
})
