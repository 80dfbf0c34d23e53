import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { inTransaction } from '../../../database/database.ts'
import { startBackend, type TestBackend } from '../../../test/support/backend.ts'
import type { Tenant } from '../../../test/support/tenants.ts'
import {
  conversationStarted,
  emitNow,
  newEventOf,
  newWebhook,
  newWebhookTenant,
  setTier,
  webhooksOf,
} from '../../../test/support/webhooks.ts'
import { createEmitter } from './emit.ts'

let backend: TestBackend
let tenant: Tenant
before(async () => {
  backend = await startBackend()
})
after(() => backend.stop())
beforeEach(async () => {
  tenant = await newWebhookTenant(backend)
})

const URL = 'http://127.0.0.1:9/'
const emit = createEmitter({ publicUrl: 'http://parley.test', tierGates: true })
const count = async (table: string) =>
  (await backend.database.pool.query(`select count(*) as count from ${table}`)).rows[0].count as number
const statesOf = async (eventId: string) => {
  const { rows } = await backend.database.pool.query<{ webhook_id: string; status: string }>(
    'select webhook_id, status from deliveries where event_id = $1',
    [eventId],
  )
  return new Map(rows.map((row) => [row.webhook_id, row.status]))
}

test('inserts the event and its deliveries in the transaction of the change', async () => {
  await newWebhook(tenant, { url: URL })
  const before = [await count('events'), await count('deliveries'), await count('event_keys')]
  await assert.rejects(
    inTransaction(backend.database.db, async (tx) => {
      await emit(tx, conversationStarted(tenant.project))
      throw new Error('the change did not happen')
    }),
  )
  assert.deepEqual([await count('events'), await count('deliveries'), await count('event_keys')], before)
})

test('makes one event of the same change, even if it is emitted concurrently', async () => {
  await newWebhook(tenant, { url: URL })
  const domainEvent = conversationStarted(tenant.project)
  const ids = await Promise.all(Array.from({ length: 12 }, () => emitNow(backend, domainEvent)))
  assert.equal(new Set(ids).size, 1)
  assert.equal((await statesOf(ids[0] as string)).size, 1)
})

test('makes a new event for a higher revision, but only one for the start of a conversation', async () => {
  const id = randomUUID()
  const emitted = (type: 'conversation.started' | 'conversation.transcribed', revision: number) =>
    emitNow(backend, newEventOf(type, tenant.project, { id, revision }))
  assert.notEqual(await emitted('conversation.transcribed', 1), await emitted('conversation.transcribed', 2))
  assert.equal(await emitted('conversation.started', 1), await emitted('conversation.started', 2))
})

test('delivers only to the webhooks of the project that subscribe to the type', async () => {
  const subscribed = await newWebhook(tenant, {
    url: URL,
    events: ['conversation.started', 'report.generated'],
  })
  await newWebhook(tenant, { url: URL, events: ['conversation.summarized'] })
  const gone = await newWebhook(tenant, { url: URL })
  await tenant.owner.send('DELETE', `${webhooksOf(tenant)}/${gone.id}`)
  await newWebhook(await newWebhookTenant(backend), { url: URL })
  const states = await statesOf(await emitNow(backend, conversationStarted(tenant.project)))
  assert.deepEqual([...states], [[subscribed.id, 'pending']])
})

test('records missed deliveries for a disabled webhook and one below the tier', async () => {
  const on = await newWebhook(tenant, { url: URL })
  const off = await newWebhook(tenant, { url: URL, enabled: false })
  const states = await statesOf(await emitNow(backend, conversationStarted(tenant.project)))
  assert.deepEqual([states.get(on.id), states.get(off.id)], ['pending', 'missed'])
  await setTier(backend, tenant, 'innovator')
  const below = await statesOf(await emitNow(backend, conversationStarted(tenant.project)))
  assert.deepEqual([below.get(on.id), below.get(off.id)], ['missed', 'missed'])
  const ungated = await statesOf(await emitNow(backend, conversationStarted(tenant.project), false))
  assert.equal(ungated.get(on.id), 'pending', 'TIER_GATES=off lifts the gate')
})

test('stores both kinds of payload with the event', async () => {
  const domainEvent = newEventOf('conversation.summarized', tenant.project, {
    transcript: 'Grüße 👋 \u2028 "x"',
  })
  const id = await emitNow(backend, domainEvent)
  const { rows } = await backend.database.pool.query('select full_body, ids_body from events where id = $1', [
    id,
  ])
  const full = JSON.parse(rows[0].full_body.toString())
  const ids = JSON.parse(rows[0].ids_body.toString())
  assert.equal(full.data.conversation.transcript, 'Grüße 👋 \u2028 "x"')
  assert.deepEqual([full.id, full.type, ids.id], [id, 'conversation.summarized', id])
  assert.deepEqual(
    [ids.data.conversation, ids.data.project_name, ids.data.conversation_id],
    [undefined, undefined, full.data.conversation_id],
  )
})
