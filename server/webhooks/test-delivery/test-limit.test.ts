import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startBackend, type TestBackend } from '../../../test/support/backend.ts'
import fc from '../../../test/support/properties.ts'
import type { Tenant } from '../../../test/support/tenants.ts'
import { newWebhook, newWebhookTenant, PUBLIC } from '../../../test/support/webhooks.ts'
import { takeTest } from './test-limit.ts'

let backend: TestBackend
let tenant: Tenant
let webhookId: string
before(async () => {
  backend = await startBackend()
  tenant = await newWebhookTenant(backend)
  webhookId = (await newWebhook(tenant, { url: PUBLIC })).id
})
after(() => backend.stop())

const MINUTE_MS = 60_000
const query = (text: string, values: unknown[]) => backend.database.pool.query(text, values)
/** Moves the stored times instead of the clock. */
const pass = (ms: number) =>
  query(
    `update webhooks set recent_tests = array(select t - $2 * interval '1 ms' from unnest(recent_tests) t order by t)
     where id = $1`,
    [webhookId, ms],
  )
const reset = () => query(`update webhooks set recent_tests = '{}' where id = $1`, [webhookId])
const take = () => takeTest(backend.database.db, webhookId)

test('allows at most 10 test deliveries in any 60 seconds', async () => {
  const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ max: 7_000 }), fc.integer({ max: 70_000 })), {
    minLength: 25,
    maxLength: 40,
  })
  await fc.assert(
    fc.asyncProperty(gaps, async (waits) => {
      await reset()
      const allowed: number[] = []
      let now = 0
      for (const gap of waits.map((each) => Math.max(0, each))) {
        await pass(gap)
        now += gap
        if ((await take()) === 0) allowed.push(now)
        const inLastMinute = allowed.filter((at) => at > now - MINUTE_MS)
        assert.ok(inLastMinute.length <= 10, `${inLastMinute.length} within 60 s`)
      }
    }),
    { numRuns: 20 },
  )
})

test('allows the next test after the returned seconds', async () => {
  await reset()
  for (let taken = 0; taken < 10; taken++) {
    assert.equal(await take(), 0)
    await pass(2_000)
  }
  const wait = await take()
  assert.ok(wait >= 40 && wait <= 42, `${wait} s`)
  await pass((wait - 3) * 1000)
  assert.notEqual(await take(), 0)
  await pass(3_000)
  assert.equal(await take(), 0)
})

test('allows 10 of 30 concurrent requests', async () => {
  await reset()
  const waits = await Promise.all(Array.from({ length: 30 }, take))
  assert.equal(waits.filter((wait) => wait === 0).length, 10)
  for (const wait of waits.filter((each) => each > 0)) assert.ok(wait <= 61, `${wait} s`)
})
