import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { inTransaction } from '../../../database/database.ts'
import { type Caller, newUser, startBackend } from '../../../test/support/backend.ts'
import { openStream } from '../../../test/support/servers/event-stream.ts'
import type { Tenant } from '../../../test/support/tenants.ts'
import {
  assertRefused,
  conversationStarted,
  emitNow,
  newEventOf,
  newWebhook,
  newWebhookTenant,
  PUBLIC,
  setTier,
  until,
  webhooksOf,
} from '../../../test/support/webhooks.ts'
import type { DomainEvent } from '../index.ts'
import { createEmitter } from './emit.ts'
import type { EventType } from './payloads.ts'
import { subjectOf } from './serialise.ts'

let tenant: Tenant
/** Without a dispatcher: the tests read what is stored. */
const backend = await startBackend()
after(() => backend.stop())
beforeEach(async () => {
  tenant = await newWebhookTenant(backend)
})

const emit = createEmitter({ publicUrl: 'http://parley.test', tierGates: true })
const path = (query = '') => `/api/v2/projects/${tenant.project}/events${query}`
const list = async (query = '') => (await tenant.owner.get(path(query))).body
const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
const add = () => emitNow(backend, conversationStarted(tenant.project))
const idsIn = (events: { data: { id: string } }[]) => events.map(({ data }) => data.id)
/** Events become visible once older transactions of the test server have ended. */
const listOnce = (count: number, query = '') =>
  until(
    () => list(query),
    ({ data }) => data.length >= count,
  )
const stream = (headers: Record<string, string> = {}, query = '') =>
  openStream(`${backend.url}${path(`/stream${query}`)}`, tenant.owner.token, headers)

test('lists the events of a project in order, by page and by type', async () => {
  const ids = []
  for (let n = 0; n < 4; n++) ids.push(await add())
  const report = await emitNow(backend, newEventOf('report.generated', tenant.project))
  await emitNow(backend, conversationStarted((await newWebhookTenant(backend)).project))
  assert.deepEqual(idsOf(await listOnce(5)), [...ids, report])
  assert.deepEqual(idsOf(await list('?types=report.generated')), [report])
  const pages: string[] = []
  for (let cursor = ''; ; ) {
    const page = await list(`?limit=2${cursor}`)
    pages.push(...idsOf(page))
    if (page.data.length < 2) break
    cursor = `&cursor=${page.next_cursor}`
  }
  assert.deepEqual(pages, [...ids, report])
})

test('never skips an event of a slow transaction: later events become visible after it', async () => {
  const first = await add()
  await listOnce(1)
  const slow = await backend.database.db.startTransaction().execute()
  const held = await emit(slow, conversationStarted(tenant.project))
  const quick = await add()
  assert.deepEqual(idsOf(await list()), [first], 'later events are not visible yet')
  await slow.commit().execute()
  assert.deepEqual(idsOf(await listOnce(3)), [first, held, quick])
})

test('streams new events, and resumes after the last one that a client got', async () => {
  const past = await add()
  await listOnce(1)
  const live = await stream()
  assert.match(live.response.headers.get('content-type') ?? '', /^text\/event-stream/)
  const [one, two] = [await add(), await add()]
  const events = await live.got(2)
  assert.deepEqual(idsIn(events), [one, two])
  assert.equal(events[0]?.event, 'conversation.started')
  live.close()
  await live.ended

  const missed = await add()
  const again = await stream({ 'last-event-id': events[0]?.id ?? '' })
  assert.deepEqual(idsIn(await again.got(2)), [two, missed])
  again.close()
  assert.ok(![one, two, missed].includes(past))
})

test('the stream waits for a slow transaction, and then sends all events', async () => {
  const live = await stream()
  const slow = await backend.database.db.startTransaction().execute()
  const held = await emit(slow, conversationStarted(tenant.project))
  const quick = await add()
  await slow.commit().execute()
  assert.deepEqual(idsIn(await live.got(2)), [held, quick])
  live.close()
})

test('a stream ends when the service stops, and does not delay the stop', async () => {
  const own = await startBackend()
  const mine = await newWebhookTenant(own)
  const response = await fetch(`${own.url}/api/v2/projects/${mine.project}/events/stream`, {
    headers: { authorization: `Bearer ${mine.owner.token}` },
  })
  const text = response.text()
  await own.stop()
  assert.match(await text, /^: welcome/)
})

test('an empty feed returns a cursor that leads to the first event', async () => {
  const empty = await list()
  assert.deepEqual(empty.data, [])
  assert.equal(typeof empty.next_cursor, 'string')
  const first = await add()
  assert.deepEqual(idsOf(await listOnce(1, `?cursor=${empty.next_cursor}`)), [first])
})

test('a poller that continues from the last cursor neither misses nor repeats an event', async () => {
  const added: string[] = []
  const seen: string[] = []
  let cursor = ''
  for (let round = 0; round < 5; round++) {
    added.push(await add(), await add())
    // One transaction that stays open across a poll, and commits after later ones.
    const slow = await backend.database.db.startTransaction().execute()
    const held = await emit(slow, conversationStarted(tenant.project))
    added.push(held, await add())
    const poll = async () => {
      const page = await list(`?limit=3${cursor}`)
      assert.equal(typeof page.next_cursor, 'string')
      seen.push(...idsOf(page))
      cursor = `&cursor=${page.next_cursor}`
      return seen
    }
    await poll()
    await slow.commit().execute()
    await until(poll, ({ length }) => length >= added.length)
  }
  assert.deepEqual(seen.toSorted(), added.toSorted())
})

test('a filter by type that matches nothing still moves the cursor forward', async () => {
  await add()
  await listOnce(1)
  const none = await list('?types=report.generated')
  assert.deepEqual(none.data, [])
  assert.deepEqual((await list(`?cursor=${none.next_cursor}`)).data, [])
})

test('list and stream accept each other’s positions, cursors and event ids', async () => {
  const ids = [await add(), await add(), await add()]
  const { data } = await listOnce(3)
  const positions: string[] = data.map(({ position }: { position: string }) => position)
  assert.equal(new Set(positions).size, 3)
  const { next_cursor: cursor } = await list('?limit=1')
  const first = positions[0] as string
  const asEncodedBefore = Buffer.from(first).toString('base64url')
  for (const start of [cursor, first, asEncodedBefore]) {
    assert.deepEqual(idsOf(await list(`?cursor=${start}`)), ids.slice(1), start)
    const live = await stream({ 'last-event-id': start })
    const events = await live.got(2)
    assert.deepEqual(
      events.map((event) => [event.data.id, event.id, event.data.position]),
      [1, 2].map((n) => [ids[n], positions[n], positions[n]]),
    )
    live.close()
    assert.deepEqual(idsOf(await list(`?cursor=${events[0]?.id}`)), ids.slice(2))
  }
})

test('since starts the list and the stream at a time', async () => {
  const old = await add()
  const later = [await add(), await add()]
  await listOnce(3)
  await backend.database.pool.query(
    `update events set occurred_at = now() - interval '1 day' where id = $1`,
    [old],
  )
  const since = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())
  assert.deepEqual(idsOf(await list(`?since=${since}`)), later)
  const { next_cursor: cursor } = await list(`?since=${since}&limit=1`)
  assert.deepEqual(idsOf(await list(`?since=${since}&cursor=${cursor}`)), later.slice(1))
  assert.deepEqual((await list(`?since=2999-01-01T00:00:00Z`)).data, [])
  assertRefused(await tenant.owner.get(path('?since=yesterday')), 'since')

  const live = await stream({}, `?since=${since}`)
  const last = await add()
  assert.deepEqual(idsIn(await live.got(3)), [...later, last])
  live.close()
})

test('OpenAPI describes a cursor that is never null, and positions', async () => {
  const { paths, components } = (await tenant.owner.get('/api/openapi.json')).body
  const { parameters, responses } = paths['/api/v2/projects/{pid}/events'].get
  const names = parameters.map(({ name }: { name: string }) => name)
  for (const name of ['cursor', 'since', 'types', 'limit']) assert.ok(names.includes(name), name)
  const { $ref } = responses['200'].content['application/json'].schema
  const page = components.schemas[$ref.split('/').at(-1)]
  assert.equal(page.properties.next_cursor.type, 'string')
  assert.ok(components.schemas.Event.required.includes('position'))
})

const URL = 'http://127.0.0.1:9/'
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
  const staff = await backend.as(newUser(), { admin_access: true })
  assert.equal((await staff.get(feed)).body.data.length, 4)
  assert.deepEqual(await readingsOf(staff), [`event.list project ${tenant.project}`, ...transcripts])

  const listener = await backend.as(newUser(), { admin_access: true })
  const live = await openStream(`${backend.url}${feed}/stream`, listener.token, {
    'last-event-id': '1:00000000-0000-0000-0000-000000000000',
  })
  await live.got(4)
  live.close()
  await live.ended
  assert.deepEqual(await readingsOf(listener), [`event.stream project ${tenant.project}`, ...transcripts])
})
