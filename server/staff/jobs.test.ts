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
