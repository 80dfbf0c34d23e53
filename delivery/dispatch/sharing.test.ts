import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { startBackend } from '../../test/support/backend.ts'
import { type Receiver, startReceiver } from '../../test/support/receiver.ts'
import { newTenant, type Tenant } from '../../test/support/tenants.ts'
import { conversationStarted, emitNow, newWebhook, setTier, until } from '../../test/support/webhooks.ts'
import { startTestWorker } from './testing/test-worker.ts'

type Worker = ReturnType<typeof startTestWorker>

const backend = await startBackend()
after(() => backend.stop())
const WEBHOOKS = 12
const HELD = 'parley_lanes_held'

const running = new Set<Worker>()
afterEach(async () => {
  await Promise.all([...running].map((worker) => worker.stop()))
  running.clear()
})

function start(): Worker {
  const worker = startTestWorker(backend, 5_000)
  running.add(worker)
  return worker
}

async function stop(worker: Worker): Promise<void> {
  running.delete(worker)
  await worker.stop()
}

/** Webhooks of one project, whose receiver takes a moment for each request, so that their queues stay busy. */
async function busySystem() {
  const tenant = await newTenant(backend)
  await setTier(backend, tenant, 'changemaker')
  const receiver = await startReceiver()
  receiver.respond = (response) => void setTimeout(() => response.writeHead(204).end(), 20)
  await Promise.all(
    Array.from({ length: WEBHOOKS }, (_, n) => newWebhook(tenant, { url: `${receiver.url}/${n}` })),
  )
  const traffic = keepBusy(tenant)
  const dispose = async () => {
    await traffic.stop()
    await receiver.close()
  }
  return { receiver, traffic, [Symbol.asyncDispose]: dispose }
}

/** Publishes events, each to all webhooks, until it is stopped. Returns how many. */
function keepBusy({ project }: Tenant) {
  let isOver = false
  const publish = async () => {
    let count = 0
    for (; !isOver; count++) {
      await emitNow(backend, conversationStarted(project))
      await pause(5)
    }
    return count
  }
  const published = publish()
  return {
    stop(): Promise<number> {
      isOver = true
      return published
    },
  }
}

/** Waits until every event has arrived at every webhook, and checks that none arrived twice. */
async function assertEachOnce(receiver: Receiver, events: number): Promise<void> {
  await receiver.got(events * WEBHOOKS)
  await until(
    async () =>
      (await backend.database.pool.query(`select from deliveries where status = 'pending'`)).rowCount,
    (pending) => pending === 0,
  )
  const arrivals = receiver.received.map(({ path, headers }) => `${path} ${String(headers['webhook-id'])}`)
  assert.equal(arrivals.length, events * WEBHOOKS)
  assert.equal(new Set(arrivals).size, arrivals.length)
}

const holds = (worker: Worker, count: number) =>
  until(
    () => worker.read(HELD),
    (held) => held >= count,
  )

test('a dispatcher that joins a busy system gets its share of the queues, and nothing is sent twice', async () => {
  await using system = await busySystem()
  const one = start()
  await holds(one, WEBHOOKS)
  const two = start()
  await holds(two, WEBHOOKS / 2 - 1)
  const three = start()
  await holds(three, WEBHOOKS / 3 - 1)
  assert.ok((await one.read('parley_queue_hand_overs_total')) > 0)
  await assertEachOnce(system.receiver, await system.traffic.stop())
})

test('a dispatcher that stops hands its queues over, and nothing is sent twice', async () => {
  await using system = await busySystem()
  const one = start()
  await holds(one, WEBHOOKS)
  const two = start()
  await until(
    async () => (await backend.database.pool.query('select from dispatchers')).rowCount,
    (count) => count === 2,
  )
  // The dispatcher learns of the other one with its next renewal.
  await holds(two, 1)
  await stop(one)
  assert.ok((await one.read('parley_queue_hand_overs_total')) >= WEBHOOKS / 2)
  await holds(two, WEBHOOKS)
  await assertEachOnce(system.receiver, await system.traffic.stop())
})

test('dispatchers that hang get no queues', async () => {
  await backend.database.pool.query(
    `insert into dispatchers (id, host, pid, lease_until)
     select gen_random_uuid(), 'hangs', n, now() + interval '6 s' from generate_series(1, 50) n`,
  )
  await using system = await busySystem()
  const one = start()
  await holds(one, WEBHOOKS)
  // Long enough for two renewals.
  await until(
    async () => system.receiver.received.length,
    (count) => count > 100 * WEBHOOKS,
  )
  await assertEachOnce(system.receiver, await system.traffic.stop())
  assert.equal(await one.read('parley_queue_hand_overs_total'), 0)
})
