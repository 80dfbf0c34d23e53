import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { test } from 'node:test'
import { type Caller, newUser } from '../../../test/support/backend.ts'
import { newPortal } from '../../../test/support/conversations.ts'
import { scriptedEngines, wavOf } from '../../../test/support/engines.ts'
import { newMember } from '../../../test/support/tenants.ts'
import { fileOf, locationOf, type TusClient, tusClient } from '../../../test/support/uploads.ts'
import { until } from '../../../test/support/webhooks.ts'
import { backend, portal, query, setUp } from '../testing/setup.ts'

setUp({ engines: scriptedEngines() }, { languages: ['pt-BR'] })

const uploadsAs = ({ token }: Pick<Caller, 'token'>, { projectId } = portal): TusClient =>
  tusClient(backend.url, `/api/v2/projects/${projectId}/uploads`, { authorization: `Bearer ${token}` })

const pathOf = ({ userId }: Caller, location: string): string =>
  fileOf(backend, `${portal.projectId}/host-${hash('sha256', userId).slice(0, 32)}`, location)

const count = async (table: 'events' | 'audit_log' | 'chunks', column: string, id: string | null) =>
  (await query(`select from ${table} where ${column} = $1`, [id])).length

const memberWith = (role: string): Promise<Caller> =>
  newMember(backend, portal.owner, `/api/v2/workspaces/${portal.workspaceId}`, role)

const ABOUT = {
  filename: 'talk.mp3',
  title: 'The park, in March',
  participant_name: 'Ada',
  language: 'pt-BR',
  tags: '["park", "spring", "park"]',
  started_at: '2026-03-01T10:00:00Z',
}

test('a host’s file becomes a conversation with its events', async () => {
  const tus = uploadsAs(portal.owner)
  const { location, reply } = await tus.upload(wavOf('The park needs benches', 3), ABOUT)
  const id = reply.headers.get('x-conversation-id')
  assert.equal(reply.status, 204)
  assert.equal(reply.headers.get('location'), `/api/v2/conversations/${id}`)
  const { body } = await until(
    () => portal.owner.get(`/api/v2/conversations/${id}`),
    (reply) => reply.body.status === 'done',
  )
  assert.deepEqual(
    [body.source, body.participant_name, body.title, body.started_at, body.tags, body.duration_seconds],
    ['upload', 'Ada', ABOUT.title, '2026-03-01T10:00:00.000Z', ['park', 'spring', 'scripted'], 3],
  )
  const transcript = await portal.owner.get(`/api/v2/conversations/${id}/transcript?format=txt`)
  assert.match(transcript.text, /The park needs benches/)
  const events = await query('select type from events where subject_id = $1 order by id', [id])
  assert.deepEqual(
    events.map(({ type }) => type),
    ['conversation.started', 'conversation.transcribed', 'conversation.summarized'],
  )
  const entries = await query('select action, actor_id, workspace_id from audit_log where target_id = $1', [
    id,
  ])
  assert.deepEqual(entries, [
    { action: 'conversation.upload', actor_id: portal.owner.userId, workspace_id: portal.workspaceId },
  ])
  assert.equal((await tus.head(location)).headers.get('x-conversation-id'), id)
})

test('stores the metadata of a host’s file', async () => {
  const { reply } = await uploadsAs(portal.owner).upload(wavOf('!unreadable'), ABOUT)
  const id = reply.headers.get('x-conversation-id')
  const { body } = await portal.owner.get(`/api/v2/conversations/${id}`)
  assert.deepEqual([body.title, body.language, body.tags], [ABOUT.title, 'pt-BR', ['park', 'spring']])
})

const WRONG: [field: string, value: string][] = [
  ['title', ' '],
  ['title', 'x'.repeat(301)],
  ['participant_name', 'a\0b'],
  ['language', 'klingon!'],
  ['tags', 'park'],
  ['tags', '"park"'],
  ['tags', '[1]'],
  ['started_at', 'yesterday'],
  ['started_at', '2999-01-01T00:00:00Z'],
  ['surprise', 'x'],
]
for (const [field, value] of WRONG) {
  test(`metadata with ${field} ${JSON.stringify(value.slice(0, 30))} is 422 and names the field`, async () => {
    const reply = await uploadsAs(portal.owner).begin(10, { [field]: value })
    assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_input'])
    assert.equal(reply.body.errors[0].path.split('.')[0], field)
  })
}

const ROLES: [role: string, status: number, code?: string][] = [
  ['owner', 201],
  ['admin', 201],
  ['member', 201],
  ['external', 201],
  ['billing', 403, 'capability_required'],
  ['observer', 403, 'capability_required'],
]
for (const [role, status, code] of ROLES) {
  test(`for ${role} a host upload is ${status}`, async () => {
    const { status: actual, body } = await uploadsAs(await memberWith(role)).begin(10)
    assert.deepEqual([actual, body?.code], [status, code])
  })
}

test('an upload is not found by other hosts, by strangers and without a token', async () => {
  const location = locationOf(await uploadsAs(portal.owner).begin(10))
  const elsewhere = await newPortal(backend)
  const theirs = location.replace(portal.projectId, elsewhere.projectId)
  const colleague = uploadsAs(await memberWith('admin'))
  const stranger = uploadsAs(await backend.as(newUser()))
  const cases: [TusClient, string, number][] = [
    [colleague, location, 404],
    [stranger, location, 404],
    [uploadsAs(elsewhere.owner), location, 404],
    [uploadsAs(elsewhere.owner), theirs, 404],
    [uploadsAs({ token: 'x.y.z' }), location, 401],
  ]
  for (const [tus, url, status] of cases) {
    assert.equal((await tus.head(url)).status, status)
    assert.equal((await tus.patch(url, 0, new Uint8Array(10))).status, status)
    assert.equal((await tus.end(url)).status, status)
  }
  assert.equal((await stranger.begin(10)).status, 404)
  assert.equal((await uploadsAs(portal.owner).head(location)).headers.get('upload-offset'), '0')
})

test('a host without a role loses access to the upload immediately', async () => {
  const member = await memberWith('member')
  const tus = uploadsAs(member)
  const location = locationOf(await tus.begin(10))
  await portal.owner.send('PATCH', `/api/v2/workspaces/${portal.workspaceId}/members/${member.userId}`, {
    role: 'observer',
  })
  assert.equal((await tus.patch(location, 0, new Uint8Array(10))).status, 403)
})

test('rejects a cookie from another site', async () => {
  const forged = tusClient(backend.url, `/api/v2/projects/${portal.projectId}/uploads`, {
    cookie: `service_session_token=${portal.owner.token}`,
    'sec-fetch-site': 'cross-site',
  })
  const { status, body } = await forged.begin(10)
  assert.deepEqual([status, body.code], [403, 'csrf_rejected'])
})

test('finishes an upload once when the client resumes after a crash', async () => {
  const tus = uploadsAs(portal.owner)
  const bytes = wavOf('After the crash')
  const location = locationOf(await tus.begin(bytes.length))
  await tus.patch(location, 0, bytes.subarray(0, 1_000))
  // All bytes are stored, but the response was lost.
  await appendFile(pathOf(portal.owner, location), bytes.subarray(1_000))
  const back = await Promise.all(Array.from({ length: 5 }, () => tus.head(location)))
  const ids = new Set(back.map(({ headers }) => headers.get('x-conversation-id')))
  assert.equal(ids.size, 1)
  const [id = null] = ids
  assert.equal(await count('audit_log', 'target_id', id), 1)
  assert.equal(await count('chunks', 'conversation_id', id), 1)
  await until(
    () => portal.owner.get(`/api/v2/conversations/${id}`),
    ({ body }) => body.status === 'done',
  )
  assert.equal(await count('events', 'subject_id', id), 3)
})

test('a file that is not audio is 415 and starts no conversation', async () => {
  const own = await newPortal(backend)
  const { reply } = await uploadsAs(own.owner, own).upload(Buffer.from('%PDF-1.7 not a sound'.repeat(9)))
  assert.deepEqual([reply.status, reply.body.code], [415, 'unsupported_media'])
  assert.deepEqual((await own.owner.get(`/api/v2/projects/${own.projectId}/conversations`)).body.data, [])
})

test('a closed project accepts files of its hosts', async () => {
  const own = await newPortal(backend, { is_open: false })
  assert.equal((await uploadsAs(own.owner, own).upload(wavOf('closed'))).reply.status, 204)
})
