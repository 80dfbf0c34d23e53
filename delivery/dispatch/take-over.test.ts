import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openWakeUps } from '../../database/notifications.ts'
import { createKeyring } from '../../platform/encryption.ts'
import { createLog } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { startDeliveryWorker } from '../../server/background/deliveries.ts'
import { createEgress, WAKE_CHANNEL } from '../../server/webhooks/index.ts'
import { startBackend, type TestBackend } from '../../test/support/backend.ts'
import { type Receiver, startReceiver } from '../../test/support/receiver.ts'
import type { Tenant } from '../../test/support/tenants.ts'
import {
  conversationStarted,
  type DeliveryRow,
  emitNow,
  latestDelivery,
  newWebhook,
  newWebhookTenant,
  until,
} from '../../test/support/webhooks.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { holdLane } from './endpoint-queue.ts'
import { type LeasedLane, leaseLanes, renewLease } from './leases.ts'
import { createDispatchMetrics } from './metrics.ts'
import { type AttemptRecord, recordAttempts } from './record-attempts.ts'
import { createRecorder } from './recorder.ts'
import { openStatements, type Statements } from './statements.ts'

// Dispatchers by hand: each test is one side of the race, the engine's own statements are the other.

let backend: TestBackend
let statements: Statements
let receiver: Receiver
before(async () => {
  backend = await startBackend()
  statements = openStatements(backend.databaseUrl)
  receiver = await startReceiver()
})
after(async () => {
  await statements.close()
  await backend.stop()
  await receiver.close()
})

const TIERS = ['changemaker', 'guardian']
const lease = async (dispatcherId: string, webhookId: string) =>
  (await leaseLanes(statements, dispatcherId, [webhookId], 10))[0]
const expire = (dispatcherId: string) =>
  backend.database.pool.query(`update dispatchers set lease_until = now() - interval '1 s' where id = $1`, [
    dispatcherId,
  ])

async function dueDelivery(): Promise<{ tenant: Tenant; webhookId: string; eventId: string }> {
  const tenant = await newWebhookTenant(backend)
  const { id: webhookId } = await newWebhook(tenant, { url: receiver.url })
  return { tenant, webhookId, eventId: await emitNow(backend, conversationStarted(tenant.project)) }
}

async function newDispatcher(): Promise<string> {
  const id = randomUUID()
  await renewLease(statements, id)
  return id
}

test('a lane has one holder; it is taken over when the lease runs out, and not before', async () => {
  const { webhookId } = await dueDelivery()
  const [one, two] = [await newDispatcher(), await newDispatcher()]
  const first = await lease(one, webhookId)
  assert.equal(first?.takenOver, false)
  assert.equal(await lease(two, webhookId), undefined)
  await expire(one)
  const second = await lease(two, webhookId)
  assert.equal(second?.takenOver, true)
  assert.equal(second?.fence, (first?.fence ?? 0) + 1)
})

test('a lane that is ours without our knowing is leased again: nobody else would', async () => {
  const { webhookId } = await dueDelivery()
  const dispatcher = await newDispatcher()
  const first = await lease(dispatcher, webhookId)
  assert.deepEqual(await leaseLanes(statements, dispatcher, null, 10, [webhookId]), [], 'not when we know')
  const second = await lease(dispatcher, webhookId)
  assert.equal(second?.fence, (first?.fence ?? 0) + 1)
})

test('a lane with nothing due is nobody’s', async () => {
  const tenant = await newWebhookTenant(backend)
  const { id } = await newWebhook(tenant, { url: receiver.url })
  assert.equal(await lease(await newDispatcher(), id), undefined)
})

test('whoever lost a lane can neither claim from it nor record anything of it', async () => {
  const { webhookId, eventId } = await dueDelivery()
  const [zombie, heir] = [await newDispatcher(), await newDispatcher()]
  const old = await lease(zombie, webhookId)
  const fence = old?.fence ?? 0
  const share = new Map([[holdLane(old as LeasedLane), 8]])
  const claimed = (await claimDeliveries(statements, zombie, share, TIERS)).get(webhookId)
  const deliveryId = claimed?.due[0]?.delivery_id ?? ''
  assert.notEqual(deliveryId, '')
  await expire(zombie)
  await lease(heir, webhookId)
  // It wakes up, is renewed, and goes on as if nothing had happened.
  await renewLease(statements, zombie)
  assert.equal((await claimDeliveries(statements, zombie, share, TIERS)).size, 0)
  const touched = await recordAttempts(
    statements,
    zombie,
    [successOf(webhookId, fence, deliveryId, claimed?.now ?? 0)],
    [
      {
        webhook_id: webhookId,
        fence,
        succeeded: true,
        failures_at_end: 0,
        failed_probe: false,
        last_status: 200,
      },
    ],
  )
  assert.deepEqual(touched, [])
  const delivery = await latestDelivery(backend, eventId)
  assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', 0])
})

test('results that were recorded twice count once', async () => {
  const { webhookId, eventId } = await dueDelivery()
  const dispatcher = await newDispatcher()
  const leased = await lease(dispatcher, webhookId)
  const fence = leased?.fence ?? 0
  const share = new Map([[holdLane(leased as LeasedLane), 8]])
  const claimed = (await claimDeliveries(statements, dispatcher, share, TIERS)).get(webhookId)
  const result = successOf(webhookId, fence, claimed?.due[0]?.delivery_id ?? '', claimed?.now ?? 0)
  await recordAttempts(statements, dispatcher, [result], [])
  await recordAttempts(statements, dispatcher, [result], [])
  const { rows } = await backend.database.pool.query('select 1 from attempts where delivery_id = $1', [
    result.deliveryId,
  ])
  assert.equal(rows.length, 1)
  assert.equal((await latestDelivery(backend, eventId))?.status, 'succeeded')
})

test('a webhook that can not be disabled at the moment holds up no results', async () => {
  const [gone, fine] = [await dueDelivery(), await dueDelivery()]
  const dispatcherId = await newDispatcher()
  const answered = async (webhookId: string, status: number) => {
    const lane = holdLane((await lease(dispatcherId, webhookId)) as LeasedLane)
    const claimed = (await claimDeliveries(statements, dispatcherId, new Map([[lane, 8]]), TIERS)).get(
      webhookId,
    )
    const deliveryId = claimed?.due[0]?.delivery_id ?? ''
    return {
      lane,
      record: { ...successOf(webhookId, lane.fence, deliveryId, claimed?.now ?? 0), status },
      probing: false,
    }
  }
  const later = await answered(fine.webhookId, 200)
  const recorder = createRecorder({
    statements,
    dispatcherId,
    metrics: createDispatchMetrics(createMetrics()),
    log: createLog('silent'),
    lost: () => {},
    async disable() {
      recorder.add(later)
      throw new Error('the database is away')
    },
  })
  recorder.add(await answered(gone.webhookId, 410))
  await recorder.drained()
  assert.equal((await latestDelivery(backend, fine.eventId))?.status, 'succeeded')
})

function successOf(webhookId: string, fence: number, deliveryId: string, at: number): AttemptRecord {
  const details = JSON.stringify({
    connect_ms: 1,
    first_byte_ms: 1,
    address: '127.0.0.1',
    opened: true,
    secret_version: null,
    answer_headers: { server: 'a "quoted" \\ one' },
    answer_body: 'a {brace}, a "quote", a \\ and a\nline',
  })
  const attempt = { deliveryId, number: 1, at, durationMs: 3, status: 200, error: null, details }
  return { ...attempt, webhookId, fence, outcome: 'succeeded', waitMs: null }
}

test('two dispatchers share the work, nothing goes out twice, and they hand everything back', async () => {
  const tenants = await Promise.all(Array.from({ length: 8 }, () => newWebhookTenant(backend)))
  const own = await startReceiver()
  for (const [n, tenant] of tenants.entries()) await newWebhook(tenant, { url: `${own.url}/${n}` })
  await backend.database.pool.query('delete from dispatchers')
  const workers = [startWorker(), startWorker()]
  try {
    const events = await Promise.all(tenants.map((tenant) => emitInTurn(tenant, 40)))
    for (const eventId of events.flat()) {
      await until(
        async () => (await latestDelivery(backend, eventId)) as DeliveryRow,
        ({ status }) => status === 'succeeded',
      )
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
  const ids = own.received.filter(({ path }) => path !== '/').map(({ headers }) => headers['webhook-id'])
  assert.equal(ids.length, 320)
  assert.equal(new Set(ids).size, 320)
  const { rows } = await backend.database.pool.query('select id from dispatchers')
  assert.deepEqual(rows, [])
  await own.close()
})

async function emitInTurn({ project }: Tenant, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await emitNow(backend, conversationStarted(project)))
  return ids
}

test('an attempt that the stop cuts off is not counted, and its lane is free at once', async () => {
  const tenant = await newWebhookTenant(backend)
  const silent = await startReceiver()
  silent.answer = () => {}
  const { id } = await newWebhook(tenant, { url: silent.url })
  const worker = startWorker()
  const eventId = await emitNow(backend, conversationStarted(tenant.project))
  await silent.got(1)
  await worker.stop()
  const delivery = await latestDelivery(backend, eventId)
  assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', 0])
  assert.equal((await lease(await newDispatcher(), id))?.takenOver, false)
  await silent.close()
})

function startWorker(): { stop(): Promise<void> } {
  const wakeUps = openWakeUps(backend.databaseUrl, WAKE_CHANNEL)
  const egress = createEgress({ allowHttp: true, allowNetworks: ['127.0.0.0/8'], proxy: null })
  const work = startDeliveryWorker({
    databaseUrl: backend.databaseUrl,
    database: backend.database,
    egress,
    keyring: createKeyring(backend.encryptionKey),
    wakeUps,
    tierGates: true,
    userAgent: 'Parley-Webhooks/0.0.0',
    metrics: createMetrics(),
    log: createLog('silent'),
    graceMs: 200,
  })
  return {
    stop: async () => {
      await work.stop()
      await wakeUps.close()
    },
  }
}
