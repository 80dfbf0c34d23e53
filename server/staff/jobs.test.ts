import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newUser, startBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal } from '../../test/support/conversations.ts'
import { wavOf } from '../../test/support/engines.ts'
import { newWebhook, newWebhookTenant, webhooksOf } from '../../test/support/webhooks.ts'

const backend = await startBackend()
after(() => backend.stop())

test('staff see what runs in the background, newest first and page by page', async () => {
  const tenant = await newWebhookTenant(backend)
  const { id } = await newWebhook(tenant, { url: 'http://127.0.0.1:9/' })
  const started: string[] = []
  for (let n = 0; n < 3; n++) {
    const body = { since: '2026-01-01T00:00:00Z' }
    started.unshift((await tenant.owner.post(`${webhooksOf(tenant)}/${id}/replay`, body)).body.id)
  }
  const staff = await backend.as(newUser(), { admin_access: true })
  const idsOf = (...jobs: { id: string }[]) => jobs.map((job) => job.id)
  const { body } = await staff.get('/api/v2/admin/jobs')
  assert.deepEqual(idsOf(...body.data), started)
  const [job] = body.data
  assert.deepEqual(
    [job.kind, job.state, job.project_id, job.target_id, job.total, job.finished_at],
    ['replay', 'running', tenant.project, id, 0, null],
  )
  const first = await staff.get('/api/v2/admin/jobs?limit=2')
  const rest = await staff.get(`/api/v2/admin/jobs?limit=2&cursor=${first.body.next_cursor}`)
  assert.deepEqual(idsOf(...first.body.data, ...rest.body.data), started)
})

test('staff see jobs with their target and state, and filter them by kind, state and project', async (t) => {
  const backend = await startBackend({ enqueues: true })
  t.after(() => backend.stop())
  const staff = await backend.as(newUser(), { admin_access: true })
  const [portal, other] = [await newPortal(backend), await newPortal(backend)]
  const conversation = await newConversation(portal)
  await conversation.send('PUT', '/chunks/0', wavOf('x'))
  const { data } = (await staff.get('/api/v2/admin/jobs')).body
  const [{ kind, state, project_id, target_id, retries }] = data
  assert.deepEqual(
    [data.length, kind, state, project_id, target_id, retries],
    [1, 'transcribe', 'waiting', portal.projectId, conversation.id, 0],
  )

  await (await newConversation(other)).send('PUT', '/chunks/0', wavOf('x'))
  const tenant = await newWebhookTenant(backend)
  const { id } = await newWebhook(tenant, { url: 'http://127.0.0.1:9/' })
  await tenant.owner.post(`${webhooksOf(tenant)}/${id}/replay`, { since: '2026-01-01T00:00:00Z' })
  const seen = async (filter: string) => {
    const { status, body } = await staff.get(`/api/v2/admin/jobs?${filter}`)
    assert.equal(status, 200, filter)
    return body.data.map((job: { kind: string; project_id: string }) => [job.kind, job.project_id])
  }
  assert.deepEqual(await seen('kind=replay'), [['replay', tenant.project]])
  assert.deepEqual(await seen('state=waiting'), [
    ['transcribe', other.projectId],
    ['transcribe', portal.projectId],
  ])
  assert.deepEqual(await seen(`kind=transcribe&project_id=${portal.projectId}`), [
    ['transcribe', portal.projectId],
  ])
  assert.deepEqual(await seen('kind=transcribe&state=done'), [])
  for (const [query, field] of [
    ['kind=sleep', 'kind'],
    ['state=active', 'state'],
    ['project_id=x', 'project_id'],
  ]) {
    const wrong = await staff.get(`/api/v2/admin/jobs?${query}`)
    assert.deepEqual([wrong.status, wrong.body.errors[0].path], [422, field])
  }
})

test('staff run a failed report again, with a reason in the audit log', async (t) => {
  const backend = await startBackend({ enqueues: true })
  t.after(() => backend.stop())
  const staff = await backend.as(newUser(), { admin_access: true })
  const { owner, organisationId, projectId } = await newPortal(backend)
  const report = (await owner.post(`/api/v2/projects/${projectId}/reports`, {})).body.id
  const jobs = async (state: string) =>
    (await staff.get(`/api/v2/admin/jobs?kind=report&state=${state}`)).body.data
  const [{ id }] = await jobs('waiting')
  const retry = () => staff.post(`/api/v2/admin/jobs/${id}/retry`, { reason: 'The model is back' })
  const early = await retry()
  assert.deepEqual([early.status, early.body.code], [409, 'job_not_failed'])

  await backend.database.pool.query(`update jobs.job set state = 'completed', completed_on = now()`)
  await backend.database.pool.query(`update reports set status = 'failed', failure = 'unavailable'`)
  const [failed] = await jobs('failed')
  assert.deepEqual([failed.id, failed.failure], [id, 'unavailable'])
  assert.deepEqual([(await retry()).status, (await jobs('failed')).length], [202, 0])
  assert.equal((await owner.get(`/api/v2/reports/${report}`)).body.status, 'generating')
  assert.equal((await jobs('waiting')).length, 1)
  const [entry] = (await owner.get(`/api/v2/organisations/${organisationId}/audit?action=job.retry`)).body
    .data
  assert.deepEqual(
    [entry.reason, entry.actor_staff, entry.details],
    ['The model is back', true, { kind: 'report', failure: 'unavailable' }],
  )
  assert.equal((await retry()).body.code, 'job_not_failed', 'it runs already')
})

test('a replay cannot be retried, and the error says what to do instead', async () => {
  const tenant = await newWebhookTenant(backend)
  const { id } = await newWebhook(tenant, { url: 'http://127.0.0.1:9/' })
  const replay = await tenant.owner.post(`${webhooksOf(tenant)}/${id}/replay`, {
    since: '2026-01-01T00:00:00Z',
  })
  const staff = await backend.as(newUser(), { admin_access: true })
  const { status, body } = await staff.post(`/api/v2/admin/jobs/${replay.body.id}/retry`, { reason: 'x' })
  assert.deepEqual(
    [status, body.code, body.detail],
    [409, 'job_not_failed', 'A replay cannot be retried. Start a new replay instead.'],
  )
})

test('staff run a failed chunk and a lost job again', async (t) => {
  const backend = await startBackend({ enqueues: true })
  t.after(() => backend.stop())
  const staff = await backend.as(newUser(), { admin_access: true })
  const portal = await newPortal(backend)
  const { id: cid, send } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('x'))
  const { pool } = backend.database
  const [job] = (await staff.get('/api/v2/admin/jobs')).body.data
  const retry = () => staff.post(`/api/v2/admin/jobs/${job.id}/retry`, { reason: 'x' })

  await pool.query(`update jobs.job set state = 'failed', retry_count = 80, completed_on = now()`)
  const [lost] = (await staff.get('/api/v2/admin/jobs?state=failed')).body.data
  assert.deepEqual([lost.id, lost.failure, lost.retries], [job.id, 'internal', 80])
  assert.equal((await retry()).status, 202)
  const [waiting] = (await staff.get('/api/v2/admin/jobs?state=waiting')).body.data
  assert.deepEqual([waiting.id, waiting.retries], [job.id, 0])

  await pool.query(`update jobs.job set state = 'completed', completed_on = now()`)
  await pool.query(`update chunks set state = 'failed', failure = 'unreadable'`)
  assert.equal((await retry()).body.code, 'conversation_in_progress')
  await pool.query(`update conversations set status = 'failed', failure = 'unreadable', finished_at = now()`)
  assert.equal((await retry()).status, 202)
  assert.equal((await portal.owner.get(`/api/v2/conversations/${cid}`)).body.status, 'transcribing')
})
