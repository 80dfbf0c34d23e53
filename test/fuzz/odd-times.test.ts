import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Client, clientOf } from '../access/client.ts'
import { noRoles, personOf, type SeededTenant, seedTenant } from '../access/fixtures.ts'
import { startBackend, type TestBackend } from '../support/backend.ts'

let backend: TestBackend
let client: Client
let send: Client['send']
let place: SeededTenant
let webhook: string
before(async () => {
  backend = await startBackend({ enqueues: true })
  client = clientOf(backend.url)
  ;({ send } = await personOf(backend, client, { ...noRoles, staff: true }))
  place = await seedTenant(backend)
  webhook = `/api/projects/${place.pid}/webhooks/${place.webhook}`
})
after(async () => {
  client.close()
  await backend.stop()
})

/** What calendars, ISO 8601 and databases disagree about. */
const ODD = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-23:59',
  '9999-12-31T23:59:59.999Z',
  '2016-12-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:00.123456789123Z',
  '2026-01-01T00:00:00',
  '2026-01-01',
  '+012026-01-01T00:00:00Z',
  'infinity',
  'now',
  'epoch',
  '',
]

const conversations = (query: Record<string, string>) =>
  send('GET', `/api/v2/projects/${place.pid}/conversations?${new URLSearchParams(query).toString()}`)

const upload = (started_at: string) =>
  send('POST', `/api/v2/projects/${place.pid}/uploads`, undefined, {
    'tus-resumable': '1.0.0',
    'upload-length': '9',
    'upload-metadata': `started_at ${Buffer.from(started_at).toString('base64')}`,
  })

const audit = (query: Record<string, string>) =>
  send('GET', `/api/v2/organisations/${place.oid}/audit?${new URLSearchParams(query).toString()}`)

const deliveries = (query: Record<string, string>) =>
  send('GET', `${webhook}/deliveries?${new URLSearchParams(query).toString()}`)

for (const time of ODD) {
  test(`the time ${time || 'of no characters'} is taken or refused by its field, and nothing fails`, async () => {
    const report = { scheduled_at: time }
    const replies = [
      { field: 'since', reply: await conversations({ since: time }) },
      { field: 'until', reply: await conversations({ until: time }) },
      { field: 'scheduled_at', reply: await send('POST', `/api/v2/projects/${place.pid}/reports`, report) },
      { field: 'started_at', reply: await upload(time) },
      { field: 'since', reply: await deliveries({ since: time }) },
      { field: 'until', reply: await deliveries({ until: time }) },
      { field: 'since', reply: await audit({ since: time }) },
      { field: 'until', reply: await audit({ until: time }) },
      { field: 'since', reply: await send('POST', `${webhook}/replay`, { since: time, only: 'all' }) },
      {
        field: 'until',
        reply: await send('POST', `${webhook}/replay`, { since: '1970-01-02T00:00:00Z', until: time }),
      },
    ]
    for (const { field, reply } of replies) {
      if (reply.status < 300) continue
      assert.equal(reply.status, 422, `${field}: ${reply.text}`)
      for (const { path } of reply.body.errors) assert.equal(path.split('.').at(-1), field)
    }
  })
}

for (const since of ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '1970-01-01T00:00:00Z']) {
  test(`a span that begins at ${since} holds all that happened since`, async () => {
    const { pid, webhook: id, did } = await seedTenant(backend)
    const listed = await send('GET', `/api/projects/${pid}/webhooks/${id}/deliveries?since=${since}`)
    assert.deepEqual(
      listed.body.data.map((delivery: { id: string }) => delivery.id),
      [did],
    )
    const before = await send('GET', `/api/projects/${pid}/webhooks/${id}/deliveries?until=${since}`)
    assert.deepEqual(before.body.data, [])
    for (const only of ['all', 'missed']) {
      const path = `/api/projects/${pid}/webhooks/${id}/replay`
      const started = await send('POST', path, { since, only })
      assert.equal(started.status, 202)
      assert.equal((await send('GET', `${path}/${started.body.id}`)).body.total, 1, only)
    }
  })
}

/** Places in the order of events that no event can have. */
const NOWHERE = ['x', '0', ':', '-1:', '1e9:', `${'9'.repeat(20)}:`, `${'9'.repeat(21)}:`]

test('a place in the feed that can not be is refused, by the list as by the stream', async () => {
  const events = `/api/v2/projects/${place.pid}/events`
  for (const start of NOWHERE) {
    const position = start.endsWith(':') ? `${start}${place.did}` : start
    const cursor = Buffer.from(position).toString('base64url')
    const listed = await send('GET', `${events}?cursor=${cursor}`)
    assert.equal(listed.status, 422, `cursor ${position}: ${listed.text}`)
    const streamed = await send('GET', `${events}/stream`, undefined, { 'last-event-id': position })
    assert.equal(streamed.status, 422, `Last-Event-ID ${position}: ${streamed.text}`)
  }
})
