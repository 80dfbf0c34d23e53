import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { runReplays } from '../../../delivery/index.ts'
import { type Reply, startBackend, type TestBackend } from '../../../test/support/backend.ts'
import type { Tenant } from '../../../test/support/tenants.ts'
import {
  assertRefused,
  emitNow,
  newEventOf,
  newWebhook,
  newWebhookTenant,
  PUBLIC,
  webhooksOf,
} from '../../../test/support/webhooks.ts'

/** Without a dispatcher, so that the log does not change. */
let backend: TestBackend
let tenant: Tenant
/** Two webhooks and one that was deleted, each with a delivery of every event. */
let webhooks: string[]
const conversation = randomUUID()
const report = randomUUID()
/** Started, transcribed and summarized of the conversation, then the report, then another conversation. */
const events: string[] = []

before(async () => {
  backend = await startBackend()
  tenant = await newWebhookTenant(backend)
  webhooks = []
  for (let made = 0; made < 3; made++) webhooks.push((await newWebhook(tenant, { url: PUBLIC })).id)
  for (const type of ['started', 'transcribed', 'summarized'] as const)
    events.push(
      await emitNow(backend, newEventOf(`conversation.${type}`, tenant.project, { id: conversation })),
    )
  events.push(await emitNow(backend, newEventOf('report.generated', tenant.project, { id: report })))
  events.push(await emitNow(backend, newEventOf('conversation.started', tenant.project)))
  await tenant.owner.send('DELETE', `${webhooksOf(tenant)}/${webhooks.pop()}`)
})
after(() => backend.stop())

const ofWebhook = (id: string) => `${webhooksOf(tenant)}/${id}/deliveries`
const ofProject = () => `/api/v2/projects/${tenant.project}/deliveries`

async function listed(path: string, filter = ''): Promise<Reply['body'][]> {
  const reply = await tenant.owner.get(`${path}?${filter}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.data
}
const eventsOf = (rows: Reply['body'][]): string[] => [...new Set(rows.map(({ event_id }) => event_id))]

test('filters the deliveries of a webhook by event, conversation and report, newest first', async () => {
  const path = ofWebhook(webhooks[0] as string)
  assert.deepEqual(eventsOf(await listed(path, `event_id=${events[1]}`)), [events[1]])
  assert.deepEqual(
    eventsOf(await listed(path, `conversation_id=${conversation}`)),
    events.slice(0, 3).toReversed(),
  )
  assert.deepEqual(eventsOf(await listed(path, `report_id=${report}`)), [events[3]])
  assert.deepEqual(
    eventsOf(await listed(path, `conversation_id=${conversation}&event=conversation.started`)),
    [events[0]],
  )
  assert.deepEqual(await listed(path, `conversation_id=${conversation}&report_id=${report}`), [])
  for (const row of await listed(path, `conversation_id=${conversation}`))
    assert.equal(row.webhook_id, webhooks[0])
})

test('finds nothing for unknown ids and those of another project, and refuses invalid UUIDs with 422', async () => {
  const other = await newWebhookTenant(backend)
  await newWebhook(other, { url: PUBLIC })
  const foreignEvent = await emitNow(backend, newEventOf('conversation.started', other.project))
  for (const path of [ofWebhook(webhooks[0] as string), ofProject()]) {
    for (const id of [randomUUID(), foreignEvent]) assert.deepEqual(await listed(path, `event_id=${id}`), [])
    assert.deepEqual(await listed(path, `report_id=${conversation}`), [])
    assert.deepEqual(await listed(path, `conversation_id=${report}`), [])
    for (const name of ['event_id', 'conversation_id', 'report_id'])
      assertRefused(await tenant.owner.get(`${path}?${name}=nonsense`), name)
  }
})

test('finds resends and replays by their event, however much later they were made', async () => {
  const [webhook] = webhooks as [string]
  const own = newEventOf('conversation.started', tenant.project)
  const eventId = await emitNow(backend, own)
  // As if the event and its first delivery were three days old.
  await backend.database.pool.query(
    `with aged as (update events set id = uuid_floor(now() - interval '3 days'), occurred_at = now() - interval '3 days' where id = $1)
     update deliveries set id = uuid_floor(now() - interval '3 days' + interval '5 seconds'), event_id = uuid_floor(now() - interval '3 days')
     where event_id = $1 and webhook_id = $2`,
    [eventId, webhook],
  )
  const { rows } = await backend.database.pool.query(
    `select event_id, id from deliveries where webhook_id = $1 order by id limit 1`,
    [webhook],
  )
  const old = rows[0] as { event_id: string; id: string }
  const resent = await tenant.owner.post(`${ofWebhook(webhook)}/${old.id}/resend`)
  assert.equal(resent.status, 202, resent.text)
  const since = new Date(Date.now() - 4 * 86_400_000).toISOString()
  const until = new Date(Date.now() - 2 * 86_400_000).toISOString()
  await tenant.owner.post(`${webhooksOf(tenant)}/${webhook}/replay`, { since, until, only: 'all' })
  await runReplays(backend.database.db)
  const found = await listed(ofWebhook(webhook), `event_id=${old.event_id}`)
  assert.deepEqual(found.map(({ kind }) => kind).toSorted(), ['event', 'replay', 'resend'])
  assert.equal(found.at(-1).id, old.id, 'newest first')
})

test('lists the deliveries of all webhooks of a project, newest first, by page', async () => {
  const all = await listed(ofProject(), 'limit=200')
  const ids = all.map(({ id }) => id)
  assert.deepEqual(ids, ids.toSorted().toReversed())
  assert.deepEqual(
    new Set(all.map(({ webhook_id }) => webhook_id)),
    new Set(webhooks),
    'deleted webhooks are not listed',
  )
  const each = await Promise.all(webhooks.map((id) => listed(ofWebhook(id), 'limit=200')))
  assert.deepEqual(new Set(ids), new Set(each.flat().map(({ id }) => id)))
  const paged: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: Reply = await tenant.owner.get(`${ofProject()}?limit=3${cursor && `&cursor=${cursor}`}`)
    paged.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.next_cursor
  }
  assert.deepEqual(paged, ids)
})

test('the list of a project has the filters of a webhook’s list, and webhook_id', async () => {
  const found = await listed(ofProject(), `conversation_id=${conversation}`)
  assert.equal(found.length, 6)
  const one = await listed(ofProject(), `conversation_id=${conversation}&webhook_id=${webhooks[1]}`)
  assert.deepEqual(
    one.map(({ webhook_id, event_id }) => [webhook_id, event_id]),
    events
      .slice(0, 3)
      .toReversed()
      .map((id) => [webhooks[1], id]),
  )
  assert.equal((await listed(ofProject(), `event_id=${events[3]}&status=pending`)).length, 2)
  assert.deepEqual(await listed(ofProject(), `event_id=${events[3]}&status=failed`), [])
  assert.deepEqual(await listed(ofProject(), `webhook_id=${randomUUID()}`), [])
})
