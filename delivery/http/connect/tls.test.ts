import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, isIP } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls'
import { type Certificate, createAuthority } from '../testing/certificates.ts'
import { receiveAsProxy } from '../testing/proxy.ts'
import {
  OK,
  openEgress,
  post,
  rawResponse,
  readRequests,
  receiveConnections,
  recordDials,
} from '../testing/receivers.ts'

const authority = createAuthority()
after(authority.remove)
const good = authority.issue('good', 'DNS:receiver.example')
const foreign = createAuthority()
after(foreign.remove)

/** A TLS receiver that records the hello of each client. */
async function receiveTls(t: TestContext, { key, cert }: Certificate, reply = OK, options: TlsOptions = {}) {
  const hellos: Record<'name' | 'protocol' | 'version' | 'isResumed', string | boolean | null>[] = []
  const requests: string[] = []
  const sockets: TLSSocket[] = []
  const server = createServer({ key, cert, ALPNProtocols: ['h2', 'http/1.1'], ...options }, (socket) => {
    sockets.push(socket)
    hellos.push({
      name: (socket as TLSSocket & { servername: string | false }).servername,
      protocol: socket.alpnProtocol,
      version: socket.getProtocol(),
      isResumed: socket.isSessionReused(),
    })
    socket.on('error', () => {})
    readRequests(socket, (_, request) => {
      requests.push(request)
      socket.write(reply)
    })
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const hangUp = () => {
    for (const socket of sockets) socket.end()
  }
  return { port, hellos, requests, hangUp, url: `https://receiver.example:${port}/hook` }
}

const open = (t: TestContext, options: Parameters<typeof openEgress>[1] = {}) =>
  openEgress(t, { allowHttp: false, ca: [authority.ca], resolve: async () => ['127.0.0.1'], ...options })

test('accepts a valid certificate, with SNI, HTTP/1.1 and a timing', async (t) => {
  const receiver = await receiveTls(t, good)
  const egress = open(t)
  const first = await post(egress, receiver.url)
  const second = await post(egress, receiver.url)
  assert.equal(first.error, null)
  assert.ok(first.timings.tlsMs !== null && second.timings.tlsMs === null)
  assert.deepEqual(receiver.hellos, [
    { name: 'receiver.example', protocol: 'http/1.1', version: 'TLSv1.3', isResumed: false },
  ])
  assert.match(receiver.requests[0] ?? '', new RegExp(`^host: receiver\\.example:${receiver.port}\r$`, 'm'))
})

test('sessions are resumed neither by another group nor by the same', async (t) => {
  const receiver = await receiveTls(t, good, rawResponse('200 OK', '', 'Connection: close'))
  const egress = open(t)
  for (const group of ['a', 'b', 'a'])
    assert.equal((await post(egress, receiver.url, { group })).success, true)
  assert.deepEqual(
    receiver.hellos.map(({ isResumed }) => isResumed),
    [false, false, false],
  )
})

test('an address has no SNI, and its certificate must carry it', async (t) => {
  const fitting = await receiveTls(t, authority.issue('address', 'IP:127.0.0.1'))
  assert.equal((await post(open(t), `https://127.0.0.1:${fitting.port}/`)).success, true)
  assert.ok(isIP(String(fitting.hellos[0]?.name)) === 0 && !fitting.hellos[0]?.name)
  const other = await receiveTls(t, good)
  assert.equal((await post(open(t), `https://127.0.0.1:${other.port}/`)).error, 'tls')
})

test('accepts the certificate for a name with a final dot', async (t) => {
  const receiver = await receiveTls(t, good)
  assert.equal((await post(open(t), `https://receiver.example.:${receiver.port}/`)).success, true)
  assert.equal(receiver.hellos[0]?.name, 'receiver.example')
})

test('refuses an invalid certificate before sending the request', async (t) => {
  const bad: [string, Certificate][] = [
    ['another host', authority.issue('other', 'DNS:other.example')],
    ['a wildcard one level up', authority.issue('wild', 'DNS:*.receiver.example')],
    ['expired', authority.issue('expired', 'DNS:receiver.example', -1)],
    ['self-signed', authority.selfSigned('self', 'DNS:receiver.example')],
    ['unknown authority', foreign.issue('foreign', 'DNS:receiver.example')],
  ]
  for (const [name, certificate] of bad)
    await t.test(name, async (t) => {
      const receiver = await receiveTls(t, certificate)
      const result = await post(open(t), receiver.url)
      assert.deepEqual([result.error, result.status, result.address], ['tls', null, '127.0.0.1'])
      assert.equal(receiver.requests.length, 0)
    })
})

test('does not trust another authority by default', async (t) => {
  const receiver = await receiveTls(t, good)
  const egress = openEgress(t, { allowHttp: false, resolve: async () => ['127.0.0.1'] })
  assert.equal((await post(egress, receiver.url)).error, 'tls')
})

test('refuses TLS before 1.2', async (t) => {
  const receiver = await receiveTls(t, good, OK, {
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'ALL:@SECLEVEL=0',
  })
  assert.equal((await post(open(t), receiver.url)).error, 'tls')
})

test('fails with `tls` in bounded time when a handshake stalls, is invalid or is closed', async (t) => {
  const cases: [string, Parameters<typeof receiveConnections>[1]][] = [
    ['stalls', () => {}],
    ['speaks HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['hangs up', (socket) => socket.end()],
    ['resets', (socket) => socket.once('data', () => socket.resetAndDestroy())],
  ]
  for (const [name, onSocket] of cases)
    await t.test(name, async (t) => {
      const receiver = await receiveConnections(t, onSocket)
      const egress = open(t, { limits: { tlsMs: 1_500, totalMs: 60_000 } })
      const result = await post(egress, `https://receiver.example:${receiver.port}/`)
      assert.equal(result.error, 'tls')
      assert.ok(result.timings.totalMs < 30_000)
      assert.equal(receiver.sockets.length, 1)
    })
})

test('does not follow a redirect from https: to http:', async (t) => {
  const dials = recordDials(t)
  const receiver = await receiveTls(
    t,
    good,
    rawResponse('302 Found', '', 'Location: http://169.254.169.254/'),
  )
  const result = await post(open(t, { allowHttp: true }), receiver.url)
  assert.deepEqual([result.error, result.status, receiver.requests.length], ['status', 302, 1])
  assert.deepEqual(dials, ['127.0.0.1'])
})

test('a TLS connection that the receiver closes between requests causes no failure', async (t) => {
  const receiver = await receiveTls(t, good)
  const egress = open(t)
  await post(egress, receiver.url)
  receiver.hangUp()
  assert.equal((await post(egress, receiver.url)).success, true)
})

test('verifies the certificate of the name through a proxy, which sees only the address', async (t) => {
  const receiver = await receiveTls(t, good)
  const proxy = await receiveAsProxy(t)
  const egress = open(t, { proxy: `http://127.0.0.1:${proxy.port}` })
  assert.equal((await post(egress, receiver.url)).success, true)
  assert.equal(receiver.hellos[0]?.name, 'receiver.example')
  assert.match(proxy.requests[0] ?? '', /^CONNECT 127\.0\.0\.1:/)
  const other = await receiveTls(t, authority.issue('proxied', 'DNS:other.example'))
  assert.equal((await post(egress, other.url)).error, 'tls')
})
