import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Caller, newUser, startBackend } from '../../../test/support/backend.ts'
import { openStream } from '../../../test/support/event-stream.ts'
import type { Tenant } from '../../../test/support/tenants.ts'
import {
  emitNow,
  newEventOf,
  newWebhook,
  newWebhookTenant,
  PUBLIC,
  until,
  webhooksOf,
} from '../../../test/support/webhooks.ts'
import type { DomainEvent } from '../index.ts'
import type { EventType } from './payloads.ts'
import { subjectOf } from './serialise.ts'

let tenant: Tenant
/** Without a dispatcher: the tests read stored payloads, which need not be sent. */
const backend = await startBackend()
tenant = await newWebhookTenant(backend)
const staff = await backend.as(newUser(), { admin_access: true })
after(() => backend.stop())

/** The audit entries about a reader, as `action kind id`. */
async function readingsOf({ userId }: Caller): Promise<string[]> {
  const { rows } = await backend.database.pool.query<Record<'action' | 'target_kind' | 'target_id', string>>(
    `select action, target_kind, target_id from audit_log where actor_id = $1 and action ~ '\\.(read|list|stream)$' order by id`,
    [userId],
  )
  return rows.map(({ action, target_kind, target_id }) => `${action} ${target_kind} ${target_id}`)
}

async function emitNew(type: EventType, words = {}): Promise<{ domainEvent: DomainEvent; eventId: string }> {
  const domainEvent = newEventOf(type, tenant.project, words)
  return { domainEvent, eventId: await emitNow(backend, domainEvent) }
}

/** The delivery of an event to one webhook: its path in the log. */
async function deliveryPath(webhookId: string, eventId: string): Promise<string> {
  const log = `${webhooksOf(tenant)}/${webhookId}/deliveries`
  const { data } = (await tenant.owner.get(log)).body
  return `${log}/${data.find((row: { event_id: string }) => row.event_id === eventId).id}`
}

const CASES: [type: EventType, payload: string, action: string | null][] = [
  ['conversation.transcribed', 'full', 'transcript.read conversation'],
  ['conversation.summarized', 'full', 'transcript.read conversation'],
  ['conversation.started', 'full', 'conversation.read conversation'],
  ['report.generated', 'full', 'report.read report'],
  ['conversation.transcribed', 'ids', null],
]
for (const [type, payload, action] of CASES) {
  test(`audits ${action ?? 'nothing'} when staff read a delivery of ${type} with payload ${payload}`, async () => {
    const { id } = await newWebhook(tenant, { url: PUBLIC, payload })
    const { domainEvent, eventId } = await emitNew(type)
    const path = await deliveryPath(id, eventId)
    const reader = await backend.as(newUser(), { admin_access: true })
    const reply = await reader.get(path)
    assert.equal(reply.status, 200)
    const expected = action === null ? [] : [`${action} ${subjectOf(domainEvent)}`]
    assert.deepEqual(await readingsOf(reader), expected)
    const { rows } = await backend.database.pool.query('select details from audit_log where actor_id = $1', [
      reader.userId,
    ])
    if (action) assert.deepEqual(rows[0]?.details, { delivery_id: reply.body.id })
  })
}

test('does not audit a member who reads a delivery, or staff who read an erased one', async () => {
  const { id } = await newWebhook(tenant, { url: PUBLIC })
  const { eventId } = await emitNew('conversation.transcribed')
  const path = await deliveryPath(id, eventId)
  assert.equal((await tenant.owner.get(path)).status, 200)
  assert.deepEqual(await readingsOf(tenant.owner), [])
  await backend.database.pool.query('update events set full_body = null, ids_body = null where id = $1', [
    eventId,
  ])
  const reader = await backend.as(newUser(), { admin_access: true })
  assert.equal((await reader.get(path)).body.payload, null)
  assert.deepEqual(await readingsOf(reader), [])
})

test('writes one audit entry for each conversation whose transcript staff list or stream', async () => {
  tenant = await newWebhookTenant(backend)
  const feed = `/api/v2/projects/${tenant.project}/events`
  await emitNew('conversation.started')
  const first = await emitNew('conversation.transcribed')
  await emitNow(
    backend,
    newEventOf('conversation.summarized', tenant.project, { id: subjectOf(first.domainEvent) }),
  )
  const second = await emitNew('conversation.transcribed')
  const transcripts = [first, second].map(
    ({ domainEvent }) => `transcript.read conversation ${subjectOf(domainEvent)}`,
  )
  await until(
    () => tenant.owner.get(feed),
    ({ body }) => body.data.length === 4,
  )
  assert.equal((await staff.get(feed)).body.data.length, 4)
  assert.deepEqual(await readingsOf(staff), [`event.list project ${tenant.project}`, ...transcripts])

  const listener = await backend.as(newUser(), { admin_access: true })
  const stream = await openStream(`${backend.url}${feed}/stream`, listener.token, {
    'last-event-id': '1:00000000-0000-0000-0000-000000000000',
  })
  await stream.got(4)
  stream.close()
  await stream.ended
  assert.deepEqual(await readingsOf(listener), [`event.stream project ${tenant.project}`, ...transcripts])
})
