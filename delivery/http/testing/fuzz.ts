import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { createEgress, type Egress } from '../index.ts'
import { rawResponse, readRequests, requestTo } from './receivers.ts'
import { agreesWithNode, damagedResponses, read } from './responses.ts'

/**
 * `npm run test:fuzz:http [-- --seed=… --responses=… --posts=…]`: damaged responses through the HTTP client of deliveries.
 *
 * 1. The response parser alone: whatever it parses as complete, Node's parser reads as the same status and body.
 * 2. The whole client over sockets: every request ends, and the next request of the same webhook gets its own response, never bytes
 *    that an earlier response left on the connection.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: `${Math.floor(Math.random() * 2 ** 31)}` },
    responses: { type: 'string', default: '200000' },
    posts: { type: 'string', default: '20000' },
  },
})
const seed = Number(values.seed)

/** How a receiver sends one response. */
interface Script {
  bytes: Buffer
  /** Sent in two writes, split here. */
  split: number
  end: 'keep' | 'close' | 'reset'
}

const scripts: fc.Arbitrary<Script> = fc.record({
  bytes: damagedResponses,
  split: fc.nat(400),
  end: fc.constantFrom('keep', 'keep', 'close', 'reset'),
})

console.log(`seed ${seed}`)
await fuzzParser(Number(values.responses))
await fuzzClient(Number(values.posts))

async function fuzzParser(responses: number): Promise<void> {
  let complete = 0
  const agrees = fc.asyncProperty(damagedResponses, async (bytes) => {
    if (await agreesWithNode(bytes)) complete++
  })
  await fc.assert(agrees, { seed, numRuns: responses })
  console.log(`✔ ${responses} responses parsed, ${complete} of them complete: Node's parser agrees`)
}

async function fuzzClient(posts: number): Promise<void> {
  const byRequest = new Map<string, Script>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    readRequests(socket, (_, request) => respond(socket, request.slice(request.indexOf('\r\n\r\n') + 4)))
  })
  const respond = (socket: Socket, id: string) => {
    const script = byRequest.get(id)
    if (script) play(socket, script)
    else socket.write(rawResponse('200 OK', id))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const limits = { totalMs: 500, graceMs: 5 }
  const egress = createEgress({ allowHttp: true, allowNetworks: ['127.0.0.1'], proxy: null, limits })
  const samples = fc.sample(scripts, { seed, numRuns: posts })
  const outcomes = new Map<string, number>()
  const webhooks = Array.from({ length: 32 }, async (_, webhook) => {
    for (let n = webhook; n < posts; n += 32) {
      byRequest.set(`damaged ${n}`, samples[n] as Script)
      const outcome = await checkPair(egress, url, `${webhook}`, n, samples[n] as Script)
      byRequest.delete(`damaged ${n}`)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  })
  await Promise.all(webhooks)
  await egress.close()
  server.close()
  console.log(
    `✔ ${posts} damaged responses over sockets, each followed by a request that got its own response`,
  )
  for (const [outcome, count] of outcomes) console.log(`  ${outcome}: ${count}`)
}

/** A request that gets the damaged response, then one that gets a valid response with the request's body. */
async function checkPair(egress: Egress, url: string, webhook: string, n: number, script: Script) {
  const text = JSON.stringify(script.bytes.toString('latin1'))
  const result = await egress.post(webhook, requestTo(url, `damaged ${n}`))
  assert.ok(result, text)
  const { status } = read([script.bytes])
  assert.ok(
    result.status === null || result.status === status,
    `${result.status} instead of ${status}: ${text}`,
  )
  assert.equal(result.success, result.status !== null && result.status < 300, text)
  const next = await egress.post(webhook, requestTo(url, `valid ${n}`))
  assert.deepEqual([next?.status, next?.body], [200, `valid ${n}`], text)
  return result.error ?? 'success'
}

function play(socket: Socket, { bytes, split, end }: Script): void {
  socket.write(bytes.subarray(0, split))
  setImmediate(() => {
    socket.write(bytes.subarray(split))
    if (end === 'close') socket.end()
    if (end === 'reset') socket.resetAndDestroy()
  })
}
