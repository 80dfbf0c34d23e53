import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { startBackend } from '../../../test/support/backend.ts'
import {
  assertRefused,
  newWebhook,
  newWebhookTenant,
  PUBLIC,
  webhooksOf,
} from '../../../test/support/webhooks.ts'

const backend = await startBackend()
const tenant = await newWebhookTenant(backend)
after(() => backend.stop())

interface Logged {
  hoursAgo?: number
  status?: string
  kind?: string
  /** The durations of the attempts, in order. */
  durations?: number[]
  /** Whether the receiver is in the network of the operator. */
  opened?: boolean
}

async function log(webhookId: string, logged: Logged): Promise<void> {
  const { hoursAgo = 0, status = 'succeeded', kind = 'event', durations = [], opened = false } = logged
  const { rows } = await backend.database.pool.query(
    `insert into deliveries (id, webhook_id, event_id, event_type, event_at, kind, payload, status, attempts, created_at, due_at,
       expires_at)
     select (left(uuid_floor(at)::text, 19) || right(gen_random_uuid()::text, 17))::uuid, $1, $2, 'conversation.started', at, $3,
       'full', $4, $5, at, at, at
     from (select now() - $6 * interval '1 hour' as at) t returning id, created_at`,
    [webhookId, randomUUID(), kind, status, durations.length, hoursAgo],
  )
  for (const [i, duration] of durations.entries())
    await backend.database.pool.query('insert into attempts values ($1, $2, $3, $4, 200, null, $5)', [
      rows[0].id,
      i + 1,
      rows[0].created_at,
      duration,
      { opened, address: null, secret_version: null },
    ])
}

async function newLog(all: Logged[]): Promise<string> {
  const { id } = await newWebhook(tenant, { url: PUBLIC })
  for (const logged of all) await log(id, logged)
  return `${webhooksOf(tenant)}/${id}/statistics`
}

const NONE = {
  succeeded: 0,
  failed: 0,
  missed: 0,
  pending: 0,
  cancelled: 0,
  response_p50_ms: null,
  response_p95_ms: null,
}

test('counts the deliveries of each hour by outcome, without tests and older ones', async () => {
  const path = await newLog([
    { durations: [100] },
    { durations: [900, 300] },
    { status: 'failed', hoursAgo: 3 },
    { status: 'missed', hoursAgo: 3 },
    { status: 'pending', hoursAgo: 3 },
    { status: 'cancelled', hoursAgo: 3 },
    { kind: 'test', durations: [5_000] },
    { hoursAgo: 30, durations: [7_000] },
  ])
  const { body, status } = await tenant.owner.get(path)
  assert.equal(status, 200)
  assert.equal(body.complete, true)
  assert.equal(body.buckets.length, 24)
  assert.deepEqual(body.total, {
    succeeded: 2,
    failed: 1,
    missed: 1,
    pending: 1,
    cancelled: 1,
    response_p50_ms: 200,
    response_p95_ms: 290,
  })
  const { start, ...last } = body.buckets.at(-1)
  assert.equal(Date.parse(start) % 3_600_000, 0)
  assert.deepEqual(last, { ...NONE, succeeded: 2, response_p50_ms: 200, response_p95_ms: 290 })
  const { start: _start, ...threeHoursAgo } = body.buckets.at(-4)
  assert.deepEqual(threeHoursAgo, { ...NONE, failed: 1, missed: 1, pending: 1, cancelled: 1 })
  const { start: _empty, ...empty } = body.buckets[0]
  assert.deepEqual(empty, NONE)
})

test('begins the days of a month in the given time zone', async () => {
  const path = await newLog([{ hoursAgo: 24 * 10 }, { hoursAgo: 24 * 40 }])
  const { body } = await tenant.owner.get(`${path}?range=30d&time_zone=Asia/Kolkata`)
  assert.equal(body.buckets.length, 30)
  for (const { start } of body.buckets) assert.match(start, /T18:30:00\.000Z$/)
  assert.equal(body.total.succeeded, 1)
  assert.equal(body.buckets.at(-11).succeeded, 1)
})

test('does not reveal the response times of receivers in the network of the operator', async () => {
  const path = await newLog([{ durations: [100], opened: true }])
  const { body } = await tenant.owner.get(path)
  assert.deepEqual(body.total, { ...NONE, succeeded: 1 })
})

test('refuses unknown ranges and time zones', async () => {
  const path = await newLog([])
  assertRefused(await tenant.owner.get(`${path}?range=1y`), 'range')
  for (const zone of ['Nowhere/City', '+02:00', "UTC'", ''])
    assertRefused(await tenant.owner.get(`${path}?time_zone=${encodeURIComponent(zone)}`), 'time_zone')
})
