import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
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
  setTier,
  until,
  webhooksOf,
} from '../../test/support/webhooks.ts'
import { WAKE_CHANNEL } from '../notifications.ts'

let backend: TestBackend
let receiver: Receiver
let tenant: Tenant
before(async () => {
  backend = await startBackend({ worker: true, egress: { limits: { totalMs: 1_000 } } })
})
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
const answerWith = (status: number, headers: Record<string, string> = {}) => {
  receiver.answer = (response) => void response.writeHead(status, headers).end()
}
/** As if its wait were over. */
const makeDue = (webhookId: string) =>
  sql(`update deliveries set due_at = now() where webhook_id = $1 and status = 'pending'`, [webhookId])
const closeIn = (webhookId: string) =>
  sql('update endpoint_queues set trial_at = now() where webhook_id = $1', [webhookId])
const settled = (eventId: string, status: string) =>
  until(
    async () => (await latestDelivery(backend, eventId)) as DeliveryRow,
    (delivery) => delivery.status === status,
  )
const attempted = (eventId: string, count: number) =>
  until(
    async () => (await latestDelivery(backend, eventId)) as DeliveryRow,
    (delivery) => delivery.attempts >= count,
  )

test('an event arrives once, and its delivery is recorded as succeeded with its attempt', async () => {
  await register()
  const eventId = await emit()
  await settled(eventId, 'succeeded')
  assert.equal(receiver.received.length, 1)
  const attempts = await sql(
    'select a.* from attempts a join deliveries d on d.id = a.delivery_id where d.event_id = $1',
    [eventId],
  )
  assert.equal(attempts.length, 1)
  assert.equal(attempts[0]?.['status'], 204)
})

test('a failure is tried again after about five seconds: same bytes, same event, next number', async () => {
  const { id } = await register({ secret: 'a secret that is long enough' })
  answerWith(500)
  const eventId = await emit()
  const delivery = await attempted(eventId, 1)
  assert.equal(delivery.status, 'pending')
  const [wait] = await sql<{ ms: number }>(
    `select extract(epoch from d.due_at - a.at) * 1000 as ms from deliveries d join attempts a on a.delivery_id = d.id where d.event_id = $1`,
    [eventId],
  )
  assert.ok(Number(wait?.ms) >= 4_000 && Number(wait?.ms) < 7_000, String(wait?.ms))
  answerWith(204)
  await makeDue(id)
  await settled(eventId, 'succeeded')
  const [first, second] = receiver.received
  assert.deepEqual(second?.body, first?.body)
  for (const name of ['webhook-id', 'x-service-delivery', 'x-service-signature'])
    assert.equal(second?.headers[name], first?.headers[name], name)
  assert.deepEqual([first?.headers['x-service-attempt'], second?.headers['x-service-attempt']], ['1', '2'])
})

test('Retry-After is honoured as a floor', async () => {
  await register()
  answerWith(503, { 'retry-after': '3600' })
  const eventId = await emit()
  const delivery = await attempted(eventId, 1)
  const wait = Date.parse(delivery.due_at) - Date.now()
  assert.ok(wait > 3_590_000 && wait <= 3_601_000, String(wait))
})

test('the eleventh failure is the last', async () => {
  const { id } = await register()
  answerWith(500)
  const eventId = await emit()
  await attempted(eventId, 1)
  await sql(`update deliveries set attempts = 10, due_at = now() where webhook_id = $1`, [id])
  const delivery = await settled(eventId, 'failed')
  assert.equal(delivery.attempts, 11)
})

test('what is not delivered in 76 hours ends as failed, without another attempt', async () => {
  const { id } = await register()
  answerWith(500)
  const eventId = await emit()
  await attempted(eventId, 1)
  await sql(
    `update deliveries set expires_at = now() - interval '1 s', due_at = now() where webhook_id = $1`,
    [id],
  )
  await settled(eventId, 'failed')
  assert.equal(receiver.received.length, 1)
})

test('a retry that would come after the 76 hours is made just before their end', async () => {
  const { id } = await register()
  answerWith(500)
  const eventId = await emit()
  await attempted(eventId, 1)
  await sql(
    `update deliveries set attempts = 9, expires_at = now() + interval '1 h', due_at = now() where webhook_id = $1`,
    [id],
  )
  assert.equal((await attempted(eventId, 10)).status, 'pending')
  const [left] = await sql<{ minutes: number }>(
    'select extract(epoch from expires_at - due_at)::float8 / 60 as minutes from deliveries where webhook_id = $1',
    [id],
  )
  assert.ok(
    Number(left?.minutes) > 14 && Number(left?.minutes) < 16,
    `${left?.minutes} minutes before the end`,
  )
  await makeDue(id)
  assert.equal((await settled(eventId, 'failed')).attempts, 11)
})

/** As if the waits for the next attempts, and for the circuit breakers, were over: the rows' times move instead of the clock. */
const passTime = (webhookIds: string[]) =>
  sql(
    `with closed as (update endpoint_queues set trial_at = least(trial_at, now()) where webhook_id = any($1)),
     moved as (
       update deliveries set due_at = now(), expires_at = expires_at - (due_at - now())
       where webhook_id = any($1) and status = 'pending')
     select pg_notify('${WAKE_CHANNEL}', ' ' || array_to_string($1, ','))`,
    [webhookIds],
  )

test('every delivery to a dead receiver gets 11 attempts, whatever the jitter was', async () => {
  answerWith(500)
  const tenants = await Promise.all([1, 2].map(() => newWebhookTenant(backend)))
  const owned = tenants.flatMap((owner) => Array.from({ length: 10 }, () => owner))
  const webhooks = await Promise.all(owned.map((owner) => newWebhook(owner, { url: receiver.url })))
  await Promise.all(tenants.map(({ project }) => emitNow(backend, conversationStarted(project))))
  const ids = webhooks.map(({ id }) => id)
  const deliveries = () =>
    sql<{ webhook_id: string; status: string; attempts: number }>(
      'select webhook_id, status, attempts from deliveries where webhook_id = any($1)',
      [ids],
    )
  for (let made = 1; made <= 11; made++) {
    await until(deliveries, (rows) =>
      rows.every(({ attempts, status }) => attempts >= made || status === 'failed'),
    )
    await passTime(ids)
  }
  const ends = (await deliveries()).map(({ status, attempts }) => `${status} after ${attempts}`)
  assert.deepEqual(
    ends,
    Array.from({ length: 20 }, () => 'failed after 11'),
  )
})

test('410 disables the webhook as gone, and what was pending is missed', async () => {
  const { id } = await register()
  answerWith(500)
  const waiting = await emit()
  await attempted(waiting, 1)
  answerWith(410)
  const refused = await emit()
  await settled(refused, 'missed')
  await settled(waiting, 'missed')
  const health = await healthOf(id)
  assert.deepEqual([health.state, health.disabled_reason, health.missed], ['disabled', 'gone', 2])
  assert.equal((await latestDelivery(backend, await emit()))?.status, 'missed', 'later ones too')
})

test('after five failures in a row the breaker opens: what waits behind it spends no attempt', async () => {
  const { id } = await register()
  answerWith(500)
  for (let n = 0; n < 5; n++) await attempted(await emit(), 1)
  const probeIn = () =>
    sql<{ wait: string }>(
      'select extract(epoch from trial_at - now()) as wait from endpoint_queues where webhook_id = $1',
      [id],
    )
  const [lane] = await until(probeIn, ([row]) => row?.wait !== null)
  assert.ok(Number(lane?.wait) > 25 && Number(lane?.wait) <= 30, String(lane?.wait))
  const behind = await emit()
  const bystander = await newWebhookTenant(backend)
  const other = await startReceiver()
  await newWebhook(bystander, { url: other.url })
  await settled(await emitNow(backend, conversationStarted(bystander.project)), 'succeeded')
  await other.close()
  assert.equal((await latestDelivery(backend, behind))?.attempts, 0)
  assert.equal((await healthOf(id)).state, 'failing')

  // One attempt at a time, of the oldest that is due; the wait between two grows.
  await makeDue(id)
  await closeIn(id)
  await receiver.got(6)
  await until(probeIn, ([row]) => Number(row?.wait) > 50)
  assert.equal(receiver.received.length, 6)

  answerWith(204)
  await closeIn(id)
  await makeDue(id)
  await settled(behind, 'succeeded')
  assert.equal((await healthOf(id)).consecutive_failures, 0)
  const numbers = receiver.received.map(({ headers }) => headers['x-service-delivery'])
  assert.equal(new Set(numbers).size, 6, 'all six arrived')
})

test('a webhook without a success for five days and ten failures is disabled as failing', async () => {
  const { id } = await register()
  answerWith(500)
  await attempted(await emit(), 1)
  await sql(
    `update endpoint_queues set failing_since = now() - interval '5 days 1 s', failures_since_success = 9, trial_at = null, consecutive_failures = 0
     where webhook_id = $1`,
    [id],
  )
  const last = await emit()
  await settled(last, 'missed')
  assert.equal((await healthOf(id)).disabled_reason, 'failing')
  await patch(id, { enabled: true })
  answerWith(204)
  await settled(await emit(), 'succeeded')
  assert.equal((await healthOf(id)).state, 'ok')
})

test('ten failures in a short time, or five days with few of them, disable nothing', async () => {
  const { id } = await register()
  answerWith(500)
  await attempted(await emit(), 1)
  for (const [since, failures] of [
    ['4 days 23 hours', 50],
    ['30 days', 8],
  ]) {
    await sql(
      `update endpoint_queues set failing_since = now() - $2::interval, failures_since_success = $3, trial_at = null where webhook_id = $1`,
      [id, since, failures],
    )
    await attempted(await emit(), 1)
    assert.equal((await healthOf(id)).disabled_reason, null, String(since))
  }
})

test('disabling turns what is pending into missed; enabling again sends only what comes later', async () => {
  const { id } = await register()
  answerWith(500)
  const before = await emit()
  await attempted(before, 1)
  await patch(id, { enabled: false })
  assert.equal((await latestDelivery(backend, before))?.status, 'missed')
  const meanwhile = await emit()
  assert.equal((await latestDelivery(backend, meanwhile))?.status, 'missed')
  answerWith(204)
  await patch(id, { enabled: true })
  await settled(await emit(), 'succeeded')
  assert.equal((await healthOf(id)).missed, 2)
  assert.equal(receiver.received.length, 2)
})

test('what was pending when it was disabled stays missed, however quickly it was enabled again', async () => {
  const { id } = await register()
  answerWith(500)
  const eventId = await emit()
  await attempted(eventId, 1)
  // As if the disabling had had more to settle than it does at once.
  await patch(id, { enabled: false })
  await sql(
    `update deliveries set status = 'pending', finished_at = null, due_at = now() where webhook_id = $1`,
    [id],
  )
  answerWith(204)
  await patch(id, { enabled: true })
  await settled(await emit(), 'succeeded')
  await settled(eventId, 'missed')
})

test('deleting a webhook cancels what is pending', async () => {
  const { id } = await register()
  answerWith(500)
  const eventId = await emit()
  await attempted(eventId, 1)
  await tenant.owner.send('DELETE', `${webhooksOf(tenant)}/${id}`)
  assert.equal((await latestDelivery(backend, eventId))?.status, 'cancelled')
})

test('a project that is deleted takes its pending deliveries along', async () => {
  const { id } = await register()
  answerWith(500)
  const eventId = await emit()
  await attempted(eventId, 1)
  await tenant.owner.send('DELETE', `/api/v2/projects/${tenant.project}`)
  await makeDue(id)
  await settled(eventId, 'cancelled')
  assert.equal(receiver.received.length, 1)
})

test('the tier is read at each attempt: below it, what is pending is missed', async () => {
  const { id } = await register()
  answerWith(500)
  const eventId = await emit()
  await attempted(eventId, 1)
  await setTier(backend, tenant, 'innovator')
  await makeDue(id)
  await settled(eventId, 'missed')
  assert.equal(receiver.received.length, 1)
  assert.equal((await latestDelivery(backend, await emit()))?.status, 'missed')
})

test('the address and the secret are those of the moment of the attempt', async () => {
  const { id } = await register({ secret: 'the first secret of two' })
  answerWith(500)
  const eventId = await emit()
  await attempted(eventId, 1)
  const next = await startReceiver()
  await patch(id, { url: `${next.url}/moved`, secret: 'the second secret of two' })
  await makeDue(id)
  await settled(eventId, 'succeeded')
  assert.equal(receiver.received.length, 1, 'nothing goes to the old address')
  const [arrived] = next.received
  assert.equal(arrived?.path, '/moved')
  assert.notEqual(
    arrived?.headers['x-service-signature'],
    receiver.received[0]?.headers['x-service-signature'],
  )
  await next.close()
})

test('at most eight requests are under way to one webhook', async () => {
  await register()
  const waiting: (() => void)[] = []
  let most = 0
  receiver.answer = (response) => {
    waiting.push(() => void response.writeHead(204).end())
    most = Math.max(most, waiting.length)
  }
  const events = await Promise.all(Array.from({ length: 30 }, emit))
  for (let done = 0; done < 30; ) {
    await receiver.got(Math.min(30, done + 8))
    for (const release of waiting.splice(0)) {
      release()
      done++
    }
  }
  for (const eventId of events) await settled(eventId, 'succeeded')
  assert.ok(most <= 8, `${most} at once`)
  assert.equal(receiver.received.length, 30)
})

test('a receiver that hangs delays nobody else', async () => {
  await register()
  receiver.answer = () => {}
  await Promise.all(Array.from({ length: 20 }, emit))
  await receiver.got(8)
  const other = await startReceiver()
  await newWebhook(tenant, { url: other.url })
  await emit()
  await other.got(1)
  assert.equal(receiver.received.length, 8)
  await other.close()
  receiver.answer = (response) => void response.writeHead(204).end()
})

test('a delivery whose payload was erased is cancelled', async () => {
  const { id } = await register()
  answerWith(500)
  const eventId = await emit()
  await attempted(eventId, 1)
  await sql('update events set full_body = null, ids_body = null where id = $1', [eventId])
  await makeDue(id)
  await settled(eventId, 'cancelled')
  assert.equal(receiver.received.length, 1)
})
