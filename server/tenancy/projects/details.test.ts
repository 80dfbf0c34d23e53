import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { startBackend } from '../../../test/support/backend.ts'
import { newConversation, newPortal } from '../../../test/support/conversations.ts'
import { newMember } from '../../../test/support/tenants.ts'

const backend = await startBackend()
after(() => backend.stop())

interface Made {
  daysAgo?: number
  status?: string
  name?: string | null
  seconds?: number
  deleted?: boolean
}

/** A conversation that ended so many days ago, written straight into the table. */
async function insert(projectId: string, made: Made): Promise<void> {
  const { daysAgo = 0, status = 'done', name = null, seconds = 0, deleted = false } = made
  await backend.database.pool.query(
    `insert into conversations (id, project_id, status, source, participant_name, started_at, finished_at, duration_ms, deleted_at)
     select $1, $2, $3, 'portal_audio', $4, at, case when $3 = 'recording' then null else at end, $5, case when $6 then now() end
     from (select now() - $7 * interval '1 day' as at) t`,
    [randomUUID(), projectId, status, name, seconds * 1000, deleted, daysAgo],
  )
}

test('statistics count conversations, hours and people, and those of each of the last 30 days', async () => {
  const { owner, projectId } = await newPortal(backend)
  for (const made of [
    { name: 'Ada', seconds: 90 },
    { name: 'Ada', seconds: 30, daysAgo: 2 },
    { seconds: 10, daysAgo: 2 },
    { status: 'failed', daysAgo: 29 },
    { status: 'recording' },
    { status: 'transcribing', daysAgo: 40, seconds: 3 },
    { name: 'Gone', deleted: true, seconds: 1000 },
  ])
    await insert(projectId, made)
  const { status, body } = await owner.get(`/api/v2/projects/${projectId}/statistics`)
  assert.equal(status, 200)
  const { days, finished_today, ...totals } = body
  assert.deepEqual(totals, {
    conversations: 6,
    audio_seconds: 133,
    participants: 5,
    recording: 1,
    processing: 1,
    failed: 1,
    reports: 0,
    webhooks: 0,
  })
  assert.equal(finished_today, 1)
  assert.equal(days.length, 30)
  const counted = days.map(({ conversations }: { conversations: number }) => conversations)
  assert.deepEqual([counted.at(-1), counted.at(-3), counted[0]], [2, 2, 1])
  assert.equal(days.at(-3).audio_seconds, 40)
  assert.equal(
    counted.reduce((sum: number, one: number) => sum + one, 0),
    5,
  )
})

test('days begin in the time zone of the reader, and an unknown zone is rejected', async () => {
  const { owner, projectId } = await newPortal(backend)
  const path = `/api/v2/projects/${projectId}/statistics?time_zone=`
  for (const zone of ['Pacific/Kiritimati', 'America/New_York']) {
    const { days } = (await owner.get(`${path}${zone}`)).body
    const hour = new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' })
    assert.equal(hour.format(new Date(days.at(-1).start)), '00')
  }
  const wrong = await owner.get(`${path}Moon/Base`)
  assert.deepEqual([wrong.status, wrong.body.errors[0].path], [422, 'time_zone'])
})

test('a retention names how many conversations it would erase, and when the next one follows', async () => {
  const { owner, projectId } = await newPortal(backend)
  for (const daysAgo of [100, 31, 20, 1]) await insert(projectId, { daysAgo })
  await insert(projectId, { daysAgo: 50, status: 'recording' })
  const read = async (days: number) =>
    (await owner.get(`/api/v2/projects/${projectId}/retention?days=${days}`)).body
  const month = await read(30)
  assert.deepEqual([month.days, month.expired], [30, 2])
  assert.ok(Math.abs(Date.parse(month.next_at) - (Date.now() + 10 * 86_400_000)) < 60_000)
  assert.equal((await read(365)).expired, 0)
  assert.equal((await read(1)).next_at, null)
  for (const days of ['0', '36501', 'x'])
    assert.equal((await owner.get(`/api/v2/projects/${projectId}/retention?days=${days}`)).status, 422, days)
})

test('every consent text is kept, with the number of participants who agreed to it', async () => {
  const portal = await newPortal(backend, { consent_text: 'First text' })
  const { owner, projectId } = portal
  const path = `/api/v2/projects/${projectId}`
  for (let n = 0; n < 2; n++) await newConversation(portal, { consent: true })
  await owner.send('PATCH', path, { consent_text: 'Second text' })
  await newConversation(portal, { consent: true })
  await owner.send('PATCH', path, { consent_text: null })
  const list = async (query = '') => (await owner.get(`${path}/consent-texts${query}`)).body
  const shown = ({ text, current, conversations }: Record<string, unknown>) => [text, current, conversations]
  assert.deepEqual((await list()).data.map(shown), [
    ['Second text', false, 1],
    ['First text', false, 2],
  ])
  await owner.send('PATCH', path, { consent_text: 'First text' })
  const first = await list('?limit=1')
  const second = await list(`?limit=1&cursor=${first.next_cursor}`)
  assert.deepEqual([...first.data, ...second.data].map(shown), [
    ['Second text', false, 1],
    ['First text', true, 2],
  ])
  assert.equal(second.next_cursor, null)
  assert.equal((await owner.get(`${path}/consent-texts?cursor=x`)).status, 422)
})

test('changes name who changed which fields, for those who can change them', async () => {
  const { owner, projectId, workspaceId } = await newPortal(backend)
  const path = `/api/v2/projects/${projectId}`
  const workspace = `/api/v2/workspaces/${workspaceId}`
  const member = await newMember(backend, owner, workspace, 'member')
  await backend.database.pool.query('update identity.users set first_name = $2 where id = $1', [
    member.userId,
    'Mara',
  ])
  await owner.send('PATCH', path, { title: 'One', tags: ['north'] })
  await owner.send('PATCH', path, { title: 'One' })
  await member.send('PATCH', path, { title: 'Two' })
  const { data } = (await owner.get(`${path}/changes`)).body
  assert.deepEqual(
    data.map(({ user_id, staff, fields }: Record<string, unknown>) => [user_id, staff, fields]),
    [
      [member.userId, false, ['title']],
      [owner.userId, false, ['title', 'tags']],
    ],
  )
  assert.equal(data[0].user_name, 'Mara')
  const observer = await newMember(backend, owner, workspace, 'observer')
  assert.equal((await observer.get(`${path}/changes`)).status, 403)
})
