import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startBackend } from '../../test/support/backend.ts'
import { type Receiver, startReceiver } from '../../test/support/receiver.ts'
import type { Tenant } from '../../test/support/tenants.ts'
import {
  conversationStarted,
  type DeliveryRow,
  emitNow,
  latestDelivery,
  newWebhook,
  newWebhookTenant,
  setTier,
  until,
  webhooksOf,
} from '../../test/support/webhooks.ts'
import { WAKE_CHANNEL } from '../notifications.ts'

let receiver: Receiver
let tenant: Tenant
const backend = await startBackend({ worker: true, egress: { limits: { totalMs: 5_000 } } })
after(() => backend.stop())
beforeEach(async (t) => {
  receiver = await startReceiver()
  tenant = await newWebhookTenant(backend)
  if ('after' in t) t.after(() => receiver.close())
})

const sql = <R extends object = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  backend.database.pool.query<R>(text, values).then(({ rows }) => rows)
const register = (body: Record<string, unknown> = {}) => newWebhook(tenant, { url: receiver.url, ...body })
const emit = () => emitNow(backend, conversationStarted(tenant.project))
const patch = (id: string, body: unknown) => tenant.owner.send('PATCH', `${webhooksOf(tenant)}/${id}`, body)
const healthOf = async (id: string) => (await tenant.owner.get(`${webhooksOf(tenant)}/${id}`)).body.health
const respondWith = (status: number, headers: Record<string, string> = {}) => {
  receiver.respond = (response) => void response.writeHead(status, headers).end()
}
const updateDeliveries = (webhookId: string, set: string) =>
  sql(`update deliveries set ${set} where webhook_id = $1 and status = 'pending'`, [webhookId])
/** As if the wait for the next attempt were over. */
const makeDue = (webhookId: string) => updateDeliveries(webhookId, 'due_at = now()')
const updateQueue = (webhookId: string, set: string) =>
  sql(`update endpoint_queues set ${set} where webhook_id = $1`, [webhookId])
const untilDelivery = (eventId: string, holds: (delivery: DeliveryRow) => boolean) =>
  until(async () => (await latestDelivery(backend, eventId)) as DeliveryRow, holds)
const ended = (eventId: string, status: string) =>
  untilDelivery(eventId, (delivery) => delivery.status === status)
const attempted = (eventId: string, count: number) =>
  untilDelivery(eventId, ({ attempts }) => attempts >= count)

/** A webhook whose receiver responds with an error, and an event that was attempted once. */
async function failedOnce(status = 500, body = {}, headers = {}) {
  const { id } = await register(body)
  respondWith(status, headers)
  const eventId = await emit()
  return { id: id as string, eventId, delivery: await attempted(eventId, 1) }
}

test('sends an event once and records the delivery as succeeded with its attempt', async () => {
  await register()
  const eventId = await emit()
  await ended(eventId, 'succeeded')
  assert.equal(receiver.received.length, 1)
  const attempts = await sql(
    'select a.* from attempts a join deliveries d on d.id = a.delivery_id where d.event_id = $1',
    [eventId],
  )
  assert.deepEqual(
    attempts.map(({ status }) => status),
    [204],
  )
})

test('retries a delivery after about five seconds with the same body, event and signature', async () => {
  const { id, eventId, delivery } = await failedOnce(500, { secret: 'a secret that is long enough' })
  assert.equal(delivery.status, 'pending')
  const [wait] = await sql<{ ms: number }>(
    `select extract(epoch from d.due_at - a.at) * 1000 as ms from deliveries d join attempts a on a.delivery_id = d.id where d.event_id = $1`,
    [eventId],
  )
  assert.ok(Number(wait?.ms) >= 4_000 && Number(wait?.ms) < 7_000, String(wait?.ms))
  respondWith(204)
  await makeDue(id)
  await ended(eventId, 'succeeded')
  const [first, second] = receiver.received
  assert.deepEqual(second?.body, first?.body)
  for (const name of ['webhook-id', 'x-service-delivery', 'x-service-signature'])
    assert.equal(second?.headers[name], first?.headers[name], name)
  assert.deepEqual([first?.headers['x-service-attempt'], second?.headers['x-service-attempt']], ['1', '2'])
})

test('waits at least as long as Retry-After says', async () => {
  const { delivery } = await failedOnce(503, {}, { 'retry-after': '3600' })
  const wait = Date.parse(delivery.due_at) - Date.now()
  assert.ok(wait > 3_590_000 && wait <= 3_601_000, String(wait))
})

test('fails a delivery after the eleventh attempt', async () => {
  const { id, eventId } = await failedOnce()
  await updateDeliveries(id, 'attempts = 10, due_at = now()')
  assert.equal((await ended(eventId, 'failed')).attempts, 11)
})

test('fails a delivery after 76 hours without another attempt', async () => {
  const { id, eventId } = await failedOnce()
  await updateDeliveries(id, `expires_at = now() - interval '1 s', due_at = now()`)
  await ended(eventId, 'failed')
  assert.equal(receiver.received.length, 1)
})

test('makes a retry that would be too late 15 minutes before the delivery expires', async () => {
  const { id, eventId } = await failedOnce()
  await updateDeliveries(id, `attempts = 9, expires_at = now() + interval '1 h', due_at = now()`)
  assert.equal((await attempted(eventId, 10)).status, 'pending')
  const [left] = await sql<{ minutes: number }>(
    'select extract(epoch from expires_at - due_at)::float8 / 60 as minutes from deliveries where webhook_id = $1',
    [id],
  )
  assert.ok(Number(left?.minutes) > 14 && Number(left?.minutes) < 16, `${left?.minutes} minutes`)
  await makeDue(id)
  assert.equal((await ended(eventId, 'failed')).attempts, 11)
})

/** As if the waits for retries and circuit breakers were over: the times in the rows move instead of the clock. */
const passTime = (webhookIds: string[]) =>
  sql(
    `with closed as (update endpoint_queues set trial_at = least(trial_at, now()) where webhook_id = any($1)),
     moved as (
       update deliveries set due_at = now(), expires_at = expires_at - (due_at - now())
       where webhook_id = any($1) and status = 'pending')
     select pg_notify('${WAKE_CHANNEL}', ' ' || array_to_string($1, ','))`,
    [webhookIds],
  )

test('makes 11 attempts of every delivery to a dead receiver, whatever the jitter', async () => {
  respondWith(500)
  const tenants = await Promise.all([1, 2].map(() => newWebhookTenant(backend)))
  const owned = tenants.flatMap((owner) => Array.from({ length: 10 }, () => owner))
  const webhooks = await Promise.all(owned.map((owner) => newWebhook(owner, { url: receiver.url })))
  await Promise.all(tenants.map(({ project }) => emitNow(backend, conversationStarted(project))))
  const ids = webhooks.map(({ id }) => id)
  const deliveries = () =>
    sql<{ status: string; attempts: number }>(
      'select status, attempts from deliveries where webhook_id = any($1)',
      [ids],
    )
  for (let made = 1; made <= 11; made++) {
    await until(deliveries, (rows) =>
      rows.every(({ attempts, status }) => attempts >= made || status === 'failed'),
    )
    await passTime(ids)
  }
  assert.deepEqual(await deliveries(), Array(20).fill({ status: 'failed', attempts: 11 }))
})

test('disables a webhook as gone after a 410, and its pending deliveries are missed', async () => {
  const { id, eventId: waiting } = await failedOnce()
  respondWith(410)
  await ended(await emit(), 'missed')
  await ended(waiting, 'missed')
  const health = await healthOf(id)
  assert.deepEqual([health.state, health.disabled_reason, health.missed], ['disabled', 'gone', 2])
  assert.equal((await latestDelivery(backend, await emit()))?.status, 'missed', 'later ones too')
})

test('opens the circuit breaker after five failures, and then makes one trial request at a time', async () => {
  const { id } = await failedOnce()
  for (let n = 1; n < 5; n++) await attempted(await emit(), 1)
  const trialIn = async () => {
    const [row] = await sql<{ wait: string | null }>(
      'select extract(epoch from trial_at - now()) as wait from endpoint_queues where webhook_id = $1',
      [id],
    )
    return row?.wait ?? null
  }
  const wait = Number(await until(trialIn, (seconds) => seconds !== null))
  assert.ok(wait > 25 && wait <= 30, String(wait))
  const behind = await emit()
  const bystander = await newWebhookTenant(backend)
  const other = await startReceiver()
  await newWebhook(bystander, { url: other.url })
  await ended(await emitNow(backend, conversationStarted(bystander.project)), 'succeeded')
  await other.close()
  assert.equal((await latestDelivery(backend, behind))?.attempts, 0)
  assert.equal((await healthOf(id)).state, 'failing')

  // One attempt at a time, of the oldest due delivery; the wait between two grows.
  await makeDue(id)
  await updateQueue(id, 'trial_at = now()')
  await receiver.got(6)
  await until(trialIn, (seconds) => Number(seconds) > 50)
  assert.equal(receiver.received.length, 6)

  respondWith(204)
  await updateQueue(id, 'trial_at = now()')
  await makeDue(id)
  await ended(behind, 'succeeded')
  assert.equal((await healthOf(id)).consecutive_failures, 0)
  const numbers = receiver.received.map(({ headers }) => headers['x-service-delivery'])
  assert.equal(new Set(numbers).size, 6, 'all six arrived')
})

test('disables a webhook as failing after five days and ten failures without a success', async () => {
  const { id } = await failedOnce()
  await updateQueue(
    id,
    `failing_since = now() - interval '5 days 1 s', failures_since_success = 9, trial_at = null, consecutive_failures = 0`,
  )
  await ended(await emit(), 'missed')
  assert.equal((await healthOf(id)).disabled_reason, 'failing')
  await patch(id, { enabled: true })
  respondWith(204)
  await ended(await emit(), 'succeeded')
  assert.equal((await healthOf(id)).state, 'ok')
})

test('does not disable a webhook after ten failures in a short time, or few failures in five days', async () => {
  const { id } = await failedOnce()
  for (const [since, failures] of [
    ['4 days 23 hours', 50],
    ['30 days', 8],
  ]) {
    await updateQueue(
      id,
      `failing_since = now() - interval '${since}', failures_since_success = ${failures}, trial_at = null`,
    )
    await attempted(await emit(), 1)
    assert.equal((await healthOf(id)).disabled_reason, null, String(since))
  }
})

test('turns pending deliveries into missed when a webhook is disabled, and sends only later ones when enabled', async () => {
  const { id, eventId } = await failedOnce()
  await patch(id, { enabled: false })
  assert.equal((await latestDelivery(backend, eventId))?.status, 'missed')
  assert.equal((await latestDelivery(backend, await emit()))?.status, 'missed')
  respondWith(204)
  await patch(id, { enabled: true })
  await ended(await emit(), 'succeeded')
  assert.equal((await healthOf(id)).missed, 2)
  assert.equal(receiver.received.length, 2)
})

test('keeps deliveries missed that were pending when a webhook was disabled, even if it is enabled again', async () => {
  const { id, eventId } = await failedOnce()
  await patch(id, { enabled: false })
  // As if disabling had found more deliveries than one batch.
  await sql(
    `update deliveries set status = 'pending', finished_at = null, due_at = now() where webhook_id = $1`,
    [id],
  )
  respondWith(204)
  await patch(id, { enabled: true })
  await ended(await emit(), 'succeeded')
  await ended(eventId, 'missed')
})

const ENDINGS: [title: string, status: string, change: (eventId: string) => Promise<unknown>][] = [
  [
    'cancels the pending deliveries of a deleted project',
    'cancelled',
    () => tenant.owner.send('DELETE', `/api/v2/projects/${tenant.project}`),
  ],
  [
    'cancels a delivery whose payload was erased',
    'cancelled',
    (eventId) => sql('update events set full_body = null, ids_body = null where id = $1', [eventId]),
  ],
  [
    'reads the tier at each attempt: below it, pending deliveries are missed',
    'missed',
    () => setTier(backend, tenant, 'innovator'),
  ],
]
for (const [title, status, change] of ENDINGS)
  test(title, async () => {
    const { id, eventId } = await failedOnce()
    await change(eventId)
    await makeDue(id)
    await ended(eventId, status)
    assert.equal(receiver.received.length, 1)
    if (status === 'missed') assert.equal((await latestDelivery(backend, await emit()))?.status, 'missed')
  })

test('uses the current URL and secret at each attempt', async () => {
  const { id, eventId } = await failedOnce(500, { secret: 'the first secret of two' })
  const next = await startReceiver()
  await patch(id, { url: `${next.url}/moved`, secret: 'the second secret of two' })
  await makeDue(id)
  await ended(eventId, 'succeeded')
  assert.equal(receiver.received.length, 1, 'nothing goes to the old address')
  const signature = 'x-service-signature'
  assert.equal(next.received[0]?.path, '/moved')
  assert.notEqual(next.received[0]?.headers[signature], receiver.received[0]?.headers[signature])
  await next.close()
})

test('has one request in flight to a new webhook, and at most eight after the first success', async () => {
  await register()
  const waiting: (() => void)[] = []
  let max = 0
  receiver.respond = (response) => {
    waiting.push(() => void response.writeHead(204).end())
    max = Math.max(max, waiting.length)
  }
  const events = await Promise.all(Array.from({ length: 31 }, emit))
  for (let done = 0, atOnce = 1; done < 31; atOnce = 8) {
    await receiver.got(Math.min(31, done + atOnce))
    assert.equal(max, atOnce)
    for (const release of waiting.splice(0)) {
      release()
      done++
    }
  }
  for (const eventId of events) await ended(eventId, 'succeeded')
  assert.equal(max, 8)
  assert.equal(receiver.received.length, 31)
})

test('delivers to other webhooks while one receiver does not respond', async () => {
  await register()
  await ended(await emit(), 'succeeded')
  receiver.respond = () => {}
  await Promise.all(Array.from({ length: 20 }, emit))
  await receiver.got(9)
  const other = await startReceiver()
  await newWebhook(tenant, { url: other.url })
  await emit()
  await other.got(1)
  assert.equal(receiver.received.length, 9)
  await other.close()
  respondWith(204)
})
