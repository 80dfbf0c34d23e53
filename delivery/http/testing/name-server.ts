import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { TestContext } from 'node:test'

export const NXDOMAIN = 3
export const SERVFAIL = 2
export const NO_RESPONSE = 'no response'

/** IPv4 addresses, a failure's code, or no response. An empty list is a name without addresses of that family. */
export type Reply = string[] | typeof NXDOMAIN | typeof SERVFAIL | typeof NO_RESPONSE
export type Family = 'A' | 'AAAA'

/** A name server on loopback. Returns its address for `createResolve`, and what it was asked. */
export async function serveNames(
  t: TestContext,
  reply: (name: string, family: Family) => Reply,
): Promise<{ server: string; asked: string[] }> {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, family } = readQuestion(query)
    asked.push(`${name} ${family}`)
    const response = reply(name, family)
    if (response !== NO_RESPONSE) socket.send(write(query, response, family), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  return { server: `127.0.0.1:${socket.address().port}`, asked }
}

function readQuestion(query: Buffer): { name: string; family: Family } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), family: query.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A' }
}

/** The query's header and question come back, followed by the records; the name is a pointer to the question's. */
function write(query: Buffer, response: Exclude<Reply, typeof NO_RESPONSE>, family: Family): Buffer {
  const addresses = typeof response === 'number' ? [] : response
  const questionEnd = query.indexOf(0, 12) + 5
  const head = Buffer.from(query.subarray(0, questionEnd))
  head.writeUInt16BE(0x8180 | (typeof response === 'number' ? response : 0), 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  return Buffer.concat([head, ...addresses.map((address) => record(address, family))])
}

function record(address: string, family: Family): Buffer {
  const data = family === 'A' ? Buffer.from(address.split('.').map(Number)) : Buffer.from(address, 'hex')
  const type = family === 'A' ? 1 : 28
  return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data])
}

/** ::1 as the server writes it. */
export const IPV6_LOOPBACK = `${'00'.repeat(15)}01`
