import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { openStream as readEvents } from '../../../test/support/event-stream.ts'
import type { Tenant } from '../../../test/support/tenants.ts'
import {
  conversationStarted,
  emitNow,
  newEventOf,
  newWebhookTenant,
  until,
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

const emit = createEmitter({ publicUrl: 'http://parley.test', tierGates: true })
const feed = (query = '') => `/api/v2/projects/${tenant.project}/events${query}`
const read = async (query = '') => (await tenant.owner.get(feed(query))).body
const idsOf = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id)
/** Once so many are certain: other databases of the test server have transactions too, and the oldest counts. */
const readWhole = (count: number) =>
  until(
    () => read(),
    ({ data }) => data.length >= count,
  )
const tell = () => emitNow(backend, conversationStarted(tenant.project))

test('the feed lists the project’s events in their order, page by page and by type', async () => {
  const ids = []
  for (let n = 0; n < 4; n++) ids.push(await tell())
  const report = await emitNow(backend, newEventOf('report.generated', tenant.project))
  await emitNow(backend, conversationStarted((await newWebhookTenant(backend)).project))
  assert.deepEqual(idsOf(await readWhole(5)), [...ids, report])
  assert.deepEqual(idsOf(await read('?types=report.generated')), [report])
  const pages: string[] = []
  for (let cursor = ''; ; ) {
    const page = await read(`?limit=2${cursor}`)
    pages.push(...idsOf(page))
    if (page.data.length < 2) break
    cursor = `&cursor=${page.next_cursor}`
  }
  assert.deepEqual(pages, [...ids, report])
})

test('an event of a slow transaction is never skipped: what came after it waits for it', async () => {
  const first = await tell()
  await readWhole(1)
  const slow = await backend.database.db.startTransaction().execute()
  const held = await emit(slow, conversationStarted(tenant.project))
  const quick = await tell()
  assert.deepEqual(idsOf(await read()), [first], 'nothing is shown that could be overtaken')
  await slow.commit().execute()
  assert.deepEqual(idsOf(await readWhole(3)), [first, held, quick])
})

const openStream = (headers: Record<string, string> = {}) =>
  readEvents(`${backend.url}${feed('/stream')}`, tenant.owner.token, headers)

test('the stream tells what happens from now on, and resumes where a client stopped', async () => {
  const past = await tell()
  await readWhole(1)
  const stream = await openStream()
  assert.match(stream.response.headers.get('content-type') ?? '', /^text\/event-stream/)
  const [one, two] = [await tell(), await tell()]
  const events = await stream.got(2)
  assert.deepEqual(
    events.map(({ data }) => data.id),
    [one, two],
  )
  assert.equal(events[0]?.event, 'conversation.started')
  stream.close()
  await stream.ended

  const missed = await tell()
  const again = await openStream({ 'last-event-id': events[0]?.id ?? '' })
  assert.deepEqual(
    (await again.got(2)).map(({ data }) => data.id),
    [two, missed],
  )
  again.close()
  assert.ok(![one, two, missed].includes(past))
})

test('the stream waits for a slow transaction too, and then tells everything', async () => {
  const stream = await openStream()
  const slow = await backend.database.db.startTransaction().execute()
  const held = await emit(slow, conversationStarted(tenant.project))
  const quick = await tell()
  await slow.commit().execute()
  assert.deepEqual(
    (await stream.got(2)).map(({ data }) => data.id),
    [held, quick],
  )
  stream.close()
})

test('a stream ends with the service, and does not hold up its stop', async () => {
  const own = await startBackend()
  const mine = await newWebhookTenant(own)
  const response = await fetch(`${own.url}/api/v2/projects/${mine.project}/events/stream`, {
    headers: { authorization: `Bearer ${mine.owner.token}` },
  })
  const text = response.text()
  await own.stop()
  assert.match(await text, /^: welcome/)
})
