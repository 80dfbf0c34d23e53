import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startBackend } from '../../test/support/backend.ts'
import { startReceiver } from '../../test/support/receiver.ts'
import {
  conversationStarted,
  type DeliveryRow,
  emitNow,
  latestDelivery,
  newWebhook,
  newWebhookTenant,
  until,
} from '../../test/support/webhooks.ts'

const backend = await startBackend({ worker: true })
after(() => backend.stop())

const valueIn = (text: string, name: string): number =>
  Number(new RegExp(`^${name.replaceAll(/[{}"]/g, String.raw`\$&`)} (\\S+)$`, 'm').exec(text)?.[1])

test('exports outcomes, latencies, queues, breakers and the age of the oldest pending delivery', async () => {
  const receiver = await startReceiver()
  const tenant = await newWebhookTenant(backend)
  const { id } = await newWebhook(tenant, { url: receiver.url })
  const attempted = (eventId: string) =>
    until(
      async () => (await latestDelivery(backend, eventId)) as DeliveryRow,
      ({ attempts }) => attempts > 0,
    )
  await attempted(await emitNow(backend, conversationStarted(tenant.project)))
  receiver.respond = (response) => void response.writeHead(500).end()
  for (let n = 0; n < 5; n++) await attempted(await emitNow(backend, conversationStarted(tenant.project)))
  // Due, and behind an open circuit breaker.
  await backend.database.pool.query(
    `update deliveries set due_at = now(), created_at = now() - interval '1 hour' where webhook_id = $1 and status = 'pending'`,
    [id],
  )
  const text = await backend.metrics.registry.metrics()
  assert.equal(valueIn(text, 'parley_delivery_attempts_total{outcome="succeeded",error="none"}'), 1)
  assert.equal(valueIn(text, 'parley_delivery_attempts_total{outcome="retry",error="status"}'), 5)
  assert.equal(valueIn(text, 'parley_delivery_first_attempt_seconds_count'), 6)
  assert.equal(valueIn(text, 'parley_delivery_success_seconds_count'), 1)
  assert.equal(valueIn(text, 'parley_breakers_open'), 1)
  assert.ok(valueIn(text, 'parley_oldest_pending_seconds') > 3_500)
  assert.ok(valueIn(text, 'parley_lanes_held') >= 0)
  assert.equal(valueIn(text, 'parley_lane_take_overs_total'), 0)
  await receiver.close()
})

test('counts a request to a receiver that hangs among the slow ones', async () => {
  const receiver = await startReceiver()
  receiver.respond = () => {}
  const tenant = await newWebhookTenant(backend)
  await newWebhook(tenant, { url: receiver.url })
  await emitNow(backend, conversationStarted(tenant.project))
  await receiver.got(1)
  const text = await backend.metrics.registry.metrics()
  assert.equal(valueIn(text, 'parley_slow_deliveries_in_flight'), 1)
  await receiver.close()
})
