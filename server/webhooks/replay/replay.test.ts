import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startBackend } from '../../../test/support/backend.ts'
import { type Receiver, startReceiver } from '../../../test/support/receiver.ts'
import type { Tenant } from '../../../test/support/tenants.ts'
import {
  conversationStarted,
  deliveriesOf,
  emitNow,
  newEventOf,
  newWebhook,
  newWebhookTenant,
  until,
  webhooksOf,
} from '../../../test/support/webhooks.ts'

let receiver: Receiver
let tenant: Tenant
const backend = await startBackend({ worker: true })
after(() => backend.stop())
beforeEach(async (t) => {
  receiver = await startReceiver()
  tenant = await newWebhookTenant(backend)
  if ('after' in t) t.after(() => receiver.close())
})

const LONG_AGO = '2020-01-01T00:00:00Z'
const sql = (text: string, values: unknown[] = []) => backend.database.pool.query(text, values)
const one = (id: string) => `${webhooksOf(tenant)}/${id}`
const patch = (id: string, body: unknown) => tenant.owner.send('PATCH', one(id), body)
const emit = () => emitNow(backend, conversationStarted(tenant.project))
const emitMany = (count: number) => Promise.all(Array.from({ length: count }, emit))
const replay = (id: string, body: object) => tenant.owner.post(`${one(id)}/replay`, body)
const progress = async (id: string, replayId: string) =>
  (await tenant.owner.get(`${one(id)}/replay/${replayId}`)).body
const finished = (id: string, replayId: string) =>
  until(
    () => progress(id, replayId),
    ({ state }) => state !== 'running',
  )
/** A webhook that missed so many events while it was disabled, and is enabled again. */
async function newWithMissed(count: number) {
  const { id } = await newWebhook(tenant, { url: receiver.url, enabled: false })
  const missed = await emitMany(count)
  await patch(id, { enabled: true })
  return { id, missed }
}
const arrived = () => receiver.received.map(({ headers }) => headers['webhook-id']).toSorted()

test('replays everything that a webhook missed while it was disabled', async () => {
  const { id, missed } = await newWithMissed(5)
  const started = await replay(id, { since: LONG_AGO })
  assert.equal(started.status, 202)
  const end = await finished(id, started.body.id)
  assert.deepEqual(end, { id: started.body.id, state: 'done', total: 5, done: 5, failed: 0 })
  assert.deepEqual(arrived(), missed.toSorted())
  assert.equal((await tenant.owner.get(one(id))).body.health.missed, 0, 'no longer missed')
  const again = await finished(id, (await replay(id, { since: LONG_AGO })).body.id)
  assert.equal(again.total, 0, 'replayed deliveries are not replayed again')
})

test('selects failed or missed deliveries, by event type and time range', async () => {
  const { id } = await newWebhook(tenant, { url: receiver.url, enabled: false })
  const [first, second, third] = [await emit(), await emit(), await emit()]
  const report = await emitNow(backend, newEventOf('report.generated', tenant.project))
  await sql(`update deliveries set status = 'failed' where event_id = $1`, [first])
  await sql(`update deliveries set event_at = now() - interval '3 days' where event_id = $1`, [second])
  await patch(id, { enabled: true })
  const since = new Date(Date.now() - 86_400_000).toISOString()
  const run = async (body: object) => finished(id, (await replay(id, { since, ...body })).body.id)
  assert.equal((await run({ only: 'failed' })).total, 1)
  assert.deepEqual(arrived(), [first])
  assert.equal((await run({ only: 'missed', events: ['report.generated'] })).total, 1)
  assert.deepEqual(arrived(), [first, report].toSorted())
  assert.equal((await run({ only: 'missed' })).total, 1)
  assert.deepEqual(arrived(), [first, report, third].toSorted())
  const old = { since: new Date(Date.now() - 4 * 86_400_000).toISOString(), until: since }
  await run(old)
  assert.deepEqual(arrived(), [first, report, third, second].toSorted())
})

for (const since of [LONG_AGO, '1970-01-01T00:00:00Z', '1970-01-02T00:00:00Z', '1960-01-01T00:00:00Z'])
  test(`“all” since ${since} includes events that are older than the webhook`, async () => {
    const old = await emitMany(3)
    const { id } = await newWebhook(tenant, { url: receiver.url, events: ['conversation.started'] })
    await emitNow(backend, newEventOf('report.generated', tenant.project))
    const started = await replay(id, { since, only: 'all' })
    assert.equal(started.status, 202)
    const end = await finished(id, started.body.id)
    assert.deepEqual([end.state, end.total, end.done, end.failed], ['done', 3, 3, 0])
    assert.deepEqual(arrived(), old.toSorted())
    for (const { kind, replay_id } of await deliveriesOf(tenant, id, 3))
      assert.deepEqual([kind, replay_id], ['replay', started.body.id])
  })

test('replays the same event and body, starting at attempt 1', async () => {
  const { id } = await newWebhook(tenant, { url: receiver.url })
  await emit()
  await receiver.got(1)
  await until(
    async () => (await tenant.owner.get(`${one(id)}/deliveries`)).body.data[0],
    ({ status }) => status === 'succeeded',
  )
  await finished(id, (await replay(id, { since: LONG_AGO, only: 'all' })).body.id)
  const [first, second] = receiver.received
  assert.deepEqual(second?.body, first?.body)
  assert.equal(second?.headers['x-service-attempt'], '1')
  assert.notEqual(second?.headers['x-service-delivery'], first?.headers['x-service-delivery'])
})

test('has at most 50 pending deliveries per replay, so that new events do not wait behind thousands', async () => {
  const { id } = await newWithMissed(120)
  receiver.respond = () => {}
  const started = await replay(id, { since: LONG_AGO })
  await receiver.got(1)
  for (let n = 0; n < 3; n++) await backend.runTask('replays')
  const { rows } = await sql('select count(*) as count from deliveries where replay_id = $1', [
    started.body.id,
  ])
  assert.ok(rows[0].count <= 50, `${rows[0].count} made`)
  assert.equal((await progress(id, started.body.id)).total, 120)
})

test('continues after a failed step without repeating or skipping a delivery', async () => {
  const { id, missed } = await newWithMissed(70)
  // The transactions of the first steps fail.
  await sql(`create function fail_once() returns trigger language plpgsql as $$
    begin
      if nextval('fail_once_count') <= 2 then raise exception 'crash'; end if;
      return new;
    end $$`)
  await sql('create sequence fail_once_count')
  await sql('create trigger fail before update on replays for each row execute function fail_once()')
  const started = await replay(id, { since: LONG_AGO })
  const end = await finished(id, started.body.id)
  await sql('drop trigger fail on replays')
  assert.deepEqual([end.state, end.done], ['done', 70])
  assert.deepEqual(arrived(), missed.toSorted())
})

test('cancels a running replay when the webhook is disabled', async () => {
  const { id } = await newWithMissed(60)
  receiver.respond = () => {}
  const started = await replay(id, { since: LONG_AGO })
  await receiver.got(1)
  await patch(id, { enabled: false })
  assert.equal((await finished(id, started.body.id)).state, 'cancelled')
})

test('cancels a running replay when the tier no longer has webhooks', async () => {
  const { id } = await newWithMissed(60)
  receiver.respond = () => {}
  const started = await replay(id, { since: LONG_AGO })
  await receiver.got(1)
  await sql(`update workspaces set tier = 'innovator' where id = $1`, [tenant.workspace])
  const ended = await until(
    async () => (await sql('select state from replays where id = $1', [started.body.id])).rows[0]?.state,
    (state) => state !== 'running',
  )
  assert.equal(ended, 'cancelled')
  const { rows } = await sql('select count(*) as count from deliveries where replay_id = $1', [
    started.body.id,
  ])
  assert.equal(Number(rows[0]?.count), 50, 'it makes no deliveries that could not be sent')
})

const cancel = (id: string, replayId: string) => tenant.owner.send('DELETE', `${one(id)}/replay/${replayId}`)
const countByStatus = async (replayId: string) =>
  (
    await sql('select status, count(*) as count from deliveries where replay_id = $1 group by status', [
      replayId,
    ])
  ).rows

test('makes no more deliveries after a cancellation, and the rest can be replayed again', async () => {
  const { id, missed } = await newWithMissed(120)
  const held: (() => void)[] = []
  receiver.respond = (response) => void held.push(() => response.writeHead(204).end())
  const { id: replayId } = (await replay(id, { since: LONG_AGO })).body
  await receiver.got(1)
  assert.equal((await cancel(id, replayId)).status, 204)
  assert.equal((await progress(id, replayId)).state, 'cancelled')
  receiver.respond = (response) => void response.writeHead(204).end()
  for (const respond of held) respond()
  // The request in flight counts as delivered; nothing is pending.
  const statuses = await until(
    () => countByStatus(replayId),
    (rows) => rows.some(({ status, count }) => status === 'succeeded' && Number(count) === 1),
  )
  assert.deepEqual(statuses.map(({ status }) => status).toSorted(), ['cancelled', 'succeeded'])
  assert.equal(await backend.runTask('replays'), false)
  const made = statuses.reduce((sum, { count }) => sum + Number(count), 0)
  assert.ok(made <= 50, `${made} deliveries were made`)
  assert.equal((await cancel(id, replayId)).status, 204, 'cancelling again changes nothing')
  const { rows } = await sql(
    `select count(*) from audit_log where action = 'replay.cancelled' and target_id = $1`,
    [replayId],
  )
  assert.equal(Number(rows[0]?.count), 1)

  const again = await finished(id, (await replay(id, { since: LONG_AGO })).body.id)
  assert.ok(again.total >= 112, `${again.total} are replayed`)
  assert.deepEqual([...new Set(arrived())], missed.toSorted())
})

test('refuses to cancel a finished replay with 409 replay_finished', async () => {
  const { id } = await newWebhook(tenant, { url: receiver.url })
  const { id: replayId } = (await replay(id, { since: LONG_AGO })).body
  await finished(id, replayId)
  const reply = await cancel(id, replayId)
  assert.deepEqual([reply.status, reply.body.code], [409, 'replay_finished'])
  assert.equal((await progress(id, replayId)).state, 'done')
})
