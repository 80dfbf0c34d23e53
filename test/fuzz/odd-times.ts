import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seedTenant } from '../access/fixtures.ts'
import { backend, staff, tenant } from '../access/service.ts'
import { ODD_TIMES } from './from-schema.ts'

const { send } = staff
const project = `/api/v2/projects/${tenant.pid}`
const webhook = `/api/projects/${tenant.pid}/webhooks/${tenant.webhook}`

const INVALID = [
  '2026-01-01T00:00:00',
  '2026-01-01',
  '+012026-01-01T00:00:00Z',
  'infinity',
  'now',
  'epoch',
  '',
]

const upload = (started_at: string) =>
  send('POST', `${project}/uploads`, undefined, {
    'tus-resumable': '1.0.0',
    'upload-length': '9',
    'upload-metadata': `started_at ${Buffer.from(started_at).toString('base64')}`,
  })

for (const time of [...ODD_TIMES, ...INVALID]) {
  test(`every field accepts the time "${time}" or names itself in a 422`, async () => {
    const lists = [
      `${project}/conversations`,
      `${webhook}/deliveries`,
      `/api/v2/organisations/${tenant.oid}/audit`,
    ]
    const replies = [
      ...lists.flatMap((path) =>
        ['since', 'until'].map(
          (field) => [field, send('GET', `${path}?${field}=${encodeURIComponent(time)}`)] as const,
        ),
      ),
      ['scheduled_at', send('POST', `${project}/reports`, { scheduled_at: time })] as const,
      ['started_at', upload(time)] as const,
      ['since', send('POST', `${webhook}/replay`, { since: time, only: 'all' })] as const,
      ['until', send('POST', `${webhook}/replay`, { since: '1970-01-02T00:00:00Z', until: time })] as const,
    ]
    for (const [field, sent] of replies) {
      const { status, body, text } = await sent
      if (status < 300) continue
      assert.equal(status, 422, `${field}: ${text}`)
      for (const { path } of body.errors) assert.equal(path.split('.').at(-1), field)
    }
  })
}

for (const since of ['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '1970-01-01T00:00:00Z']) {
  test(`lists and replays everything since ${since}`, async () => {
    const { pid, webhook: id, did } = await seedTenant(backend)
    const path = `/api/projects/${pid}/webhooks/${id}`
    const listed = async (query: string) =>
      (await send('GET', `${path}/deliveries?${query}=${since}`)).body.data.map(
        (one: { id: string }) => one.id,
      )
    assert.deepEqual([await listed('since'), await listed('until')], [[did], []])
    for (const only of ['all', 'missed']) {
      const started = await send('POST', `${path}/replay`, { since, only })
      assert.equal(started.status, 202)
      assert.equal((await send('GET', `${path}/replay/${started.body.id}`)).body.total, 1, only)
    }
  })
}

/** Positions in the event feed that no event can have. */
const IMPOSSIBLE = ['x', '0', ':', '-1:', '1e9:', `${'9'.repeat(20)}:`, `${'9'.repeat(21)}:`]

test('the list and the stream of events reject an impossible position', async () => {
  const events = `${project}/events`
  for (const start of IMPOSSIBLE) {
    const position = start.endsWith(':') ? `${start}${tenant.did}` : start
    const cursor = Buffer.from(position).toString('base64url')
    const listed = await send('GET', `${events}?cursor=${cursor}`)
    assert.equal(listed.status, 422, `cursor ${position}: ${listed.text}`)
    const streamed = await send('GET', `${events}/stream`, undefined, { 'last-event-id': position })
    assert.equal(streamed.status, 422, `Last-Event-ID ${position}: ${streamed.text}`)
  }
})
