import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { startBackend } from '../../test/support/backend.ts'
import { startReceiver } from '../../test/support/receiver.ts'
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
import { slotsOf } from '../rules/shares.ts'
import { type ClaimedQueue, claimDeliveries } from '../statements/claim-deliveries.ts'
import { acceptQueues, type LeasedQueue, leaseQueues, renewLease } from '../statements/lease-queues.ts'
import { type AttemptRecord, recordAttempts } from '../statements/record-attempts.ts'
import { openStatements } from '../statements/statement.ts'
import { newEndpointQueue } from './endpoint-queue.ts'
import { createDispatchMetrics } from './metrics.ts'
import { createRecorder } from './recorder.ts'
import { startTestWorker } from './testing/test-worker.ts'

// The tests act as dispatchers: they run the statements of the engine in the order of a race.

const backend = await startBackend()
const statements = openStatements(backend.databaseUrl)
const receiver = await startReceiver()
after(async () => {
  await statements.close()
  await backend.stop()
  await receiver.close()
})

const ALL_SLOTS = slotsOf('', [])
const TIERS = ['changemaker', 'guardian']
const lease = async (dispatcherId: string, webhookId: string) =>
  (await leaseQueues(statements, dispatcherId, { named: [webhookId], limit: 10, slots: ALL_SLOTS }))[0]
const expire = (dispatcherId: string) =>
  backend.database.pool.query(`update dispatchers set lease_until = now() - interval '1 s' where id = $1`, [
    dispatcherId,
  ])

async function dueDelivery(): Promise<{ webhookId: string; eventId: string }> {
  const tenant = await newWebhookTenant(backend)
  const { id: webhookId } = await newWebhook(tenant, { url: receiver.url })
  return { webhookId, eventId: await emitNow(backend, conversationStarted(tenant.project)) }
}

async function newDispatcher(): Promise<string> {
  const id = randomUUID()
  await renewLease(statements, { id, busyQueues: 0, requestsPerSecond: null })
  return id
}

/** A queue that the dispatcher leases, and the result of its due delivery, which is not recorded. */
async function claimed(dispatcherId: string, webhookId: string, status = 200) {
  const queue = newEndpointQueue((await lease(dispatcherId, webhookId)) as LeasedQueue)
  const claim = async () =>
    (
      await claimDeliveries(statements, dispatcherId, new Map([[queue, { slots: 8, prefetch: 0 }]]), TIERS)
    ).get(webhookId)
  const { now, due } = (await claim()) as ClaimedQueue
  const details = JSON.stringify({
    connect_ms: 1,
    first_byte_ms: 1,
    address: '127.0.0.1',
    opened: true,
    secret_version: null,
    answer_headers: { server: 'a "quoted" \\ one' },
    answer_body: 'a {brace}, a "quote", a \\ and a\nline',
  })
  const record: AttemptRecord = {
    deliveryId: due[0]?.id as string,
    number: 1,
    at: now,
    durationMs: 3,
    status,
    error: null,
    details,
    webhookId,
    fence: queue.fence,
    outcome: 'succeeded',
    waitMs: null,
  }
  return { queue, record, isTrial: false, claim }
}

test('leases a queue to one dispatcher, and to another only after the lease has expired', async () => {
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

test('does not take a queue from a dispatcher that has just started', async () => {
  const tenant = await newWebhookTenant(backend)
  const created = [
    await newWebhook(tenant, { url: receiver.url }),
    await newWebhook(tenant, { url: receiver.url }),
  ]
  await emitNow(backend, conversationStarted(tenant.project))
  const [first, second] = created.map(({ id }) => id).toSorted() as [string, string]
  const { pool } = backend.database
  // The statement stops between its two queues, when it has long read who is alive.
  await pool.query(`
    create function wait_for_test() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(1); return new; end $$;
    create trigger wait_for_test before update on endpoint_queues for each row
      when (old.webhook_id = '${first}') execute function wait_for_test()`)
  const lock = await pool.connect()
  await lock.query('select pg_advisory_lock(1)')
  const old = await newDispatcher()
  const leased = leaseQueues(statements, old, { named: [first, second], limit: 10, slots: ALL_SLOTS })
  await until(
    async () =>
      (await lock.query(`select from pg_locks where locktype = 'advisory' and not granted`)).rowCount,
    (waiting) => waiting === 1,
  )
  const started = await newDispatcher()
  assert.equal((await lease(started, second))?.webhookId, second)
  await lock.query('select pg_advisory_unlock(1)')
  lock.release()
  assert.deepEqual(
    (await leased).map(({ webhookId }) => webhookId),
    [first],
  )
  await pool.query('drop trigger wait_for_test on endpoint_queues')
})

test('a dispatcher accepts a queue that it owns without knowing it, and leases none that it owns', async () => {
  const { webhookId } = await dueDelivery()
  const dispatcher = await newDispatcher()
  const first = await lease(dispatcher, webhookId)
  assert.equal(await lease(dispatcher, webhookId), undefined)
  await expire(dispatcher)
  assert.equal(await lease(dispatcher, webhookId), undefined, 'also after its lease has expired')
  assert.deepEqual(await acceptQueues(statements, dispatcher, null, [webhookId]), [], 'not when it knows')
  const [second] = await acceptQueues(statements, dispatcher, null, [])
  assert.equal(second?.fence, (first?.fence ?? 0) + 1)
})

test('leases a queue in the slot of another dispatcher only if that one has left it waiting', async () => {
  const { webhookId, eventId } = await dueDelivery()
  const dispatcher = await newDispatcher()
  const leaseOfOthers = () =>
    leaseQueues(statements, dispatcher, { named: [webhookId], limit: 10, slots: [] })
  assert.deepEqual(await leaseOfOthers(), [])
  await backend.database.pool.query(
    `update deliveries set due_at = now() - interval '3 s' where event_id = $1`,
    [eventId],
  )
  assert.equal((await leaseOfOthers()).length, 1)
})

test('does not lease a queue without due deliveries', async () => {
  const tenant = await newWebhookTenant(backend)
  const { id } = await newWebhook(tenant, { url: receiver.url })
  assert.equal(await lease(await newDispatcher(), id), undefined)
})

test('a dispatcher that lost a queue can neither claim from it nor record results of it', async () => {
  const { webhookId, eventId } = await dueDelivery()
  const [zombie, heir] = [await newDispatcher(), await newDispatcher()]
  const { queue, record, claim } = await claimed(zombie, webhookId)
  await expire(zombie)
  await lease(heir, webhookId)
  // It renews its lease and continues as if it had never paused.
  await renewLease(statements, { id: zombie, busyQueues: 0, requestsPerSecond: null })
  assert.equal(await claim(), undefined)
  const results = { succeeded: true, failures_at_end: 0, failed_trial: false, last_status: 200 }
  const queues = [{ webhook_id: webhookId, fence: queue.fence, ...results }]
  assert.deepEqual(await recordAttempts(statements, zombie, [record], queues), [])
  const delivery = await latestDelivery(backend, eventId)
  assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', 0])
})

test('counts a result once that is recorded twice', async () => {
  const { webhookId, eventId } = await dueDelivery()
  const dispatcher = await newDispatcher()
  const { record } = await claimed(dispatcher, webhookId)
  for (const _ of [1, 2]) await recordAttempts(statements, dispatcher, [record], [])
  const { rows } = await backend.database.pool.query('select 1 from attempts where delivery_id = $1', [
    record.deliveryId,
  ])
  assert.equal(rows.length, 1)
  assert.equal((await latestDelivery(backend, eventId))?.status, 'succeeded')
})

test('records further results while a webhook can’t be disabled', async () => {
  const [gone, fine] = [await dueDelivery(), await dueDelivery()]
  const dispatcherId = await newDispatcher()
  const later = await claimed(dispatcherId, fine.webhookId)
  const recorder = createRecorder({
    statements,
    dispatcherId,
    metrics: createDispatchMetrics(createMetrics()),
    log: createLog('silent'),
    onLost: () => {},
    countQueues: () => 2,
    async disable() {
      recorder.add(later)
      throw new Error('the database is away')
    },
  })
  recorder.add(await claimed(dispatcherId, gone.webhookId, 410))
  await recorder.drained()
  assert.equal((await latestDelivery(backend, fine.eventId))?.status, 'succeeded')
})

test('two dispatchers share the work, send nothing twice, and unregister when they stop', async () => {
  const tenants = await Promise.all(Array.from({ length: 8 }, () => newWebhookTenant(backend)))
  const own = await startReceiver()
  for (const [n, tenant] of tenants.entries()) await newWebhook(tenant, { url: `${own.url}/${n}` })
  await backend.database.pool.query('delete from dispatchers')
  const workers = [startTestWorker(backend), startTestWorker(backend)]
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

test('does not count an attempt that a stop aborts, and releases its queue immediately', async () => {
  const tenant = await newWebhookTenant(backend)
  const silent = await startReceiver()
  silent.respond = () => {}
  const { id } = await newWebhook(tenant, { url: silent.url })
  const worker = startTestWorker(backend)
  const eventId = await emitNow(backend, conversationStarted(tenant.project))
  await silent.got(1)
  await worker.stop()
  const delivery = await latestDelivery(backend, eventId)
  assert.deepEqual([delivery?.status, delivery?.attempts], ['pending', 0])
  assert.equal((await lease(await newDispatcher(), id))?.takenOver, false)
  await silent.close()
})
