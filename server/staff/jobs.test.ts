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
    const reply = await tenant.owner.post(`${webhooksOf(tenant)}/${id}/replay`, {
      since: '2026-01-01T00:00:00Z',
    })
    started.unshift(reply.body.id)
  }
  const staff = await backend.as(newUser(), { admin_access: true })
  const { body } = await staff.get('/api/v2/admin/jobs')
  assert.deepEqual(
    body.data.map((job: { id: string }) => job.id),
    started,
  )
  const [job] = body.data
  assert.deepEqual(
    [job.kind, job.state, job.project_id, job.target_id, job.total, job.finished_at],
    ['replay', 'running', tenant.project, id, 0, null],
  )
  const first = await staff.get('/api/v2/admin/jobs?limit=2')
  const rest = await staff.get(`/api/v2/admin/jobs?limit=2&cursor=${first.body.next_cursor}`)
  assert.deepEqual(
    [...first.body.data, ...rest.body.data].map((one: { id: string }) => one.id),
    started,
  )
})

test('staff see jobs beside replays: what they work on, and how far they are', async (t) => {
  const backend = await startBackend({ enqueues: true })
  t.after(() => backend.stop())
  const portal = await newPortal(backend)
  const { id, send } = await newConversation(portal)
  await send('PUT', '/chunks/0', wavOf('x'))
  const staff = await backend.as(newUser(), { admin_access: true })
  const { body } = await staff.get('/api/v2/admin/jobs')
  assert.equal(body.data.length, 1)
  const [{ kind, state, project_id, target_id, retries }] = body.data
  assert.deepEqual(
    [kind, state, project_id, target_id, retries],
    ['transcribe', 'waiting', portal.projectId, id, 0],
  )
})

test('staff filter jobs by kind, state and project', async (t) => {
  const backend = await startBackend({ enqueues: true })
  t.after(() => backend.stop())
  const [portal, other] = [await newPortal(backend), await newPortal(backend)]
  for (const at of [portal, other]) {
    const { send } = await newConversation(at)
    await send('PUT', '/chunks/0', wavOf('x'))
  }
  const tenant = await newWebhookTenant(backend)
  const { id } = await newWebhook(tenant, { url: 'http://127.0.0.1:9/' })
  await tenant.owner.post(`${webhooksOf(tenant)}/${id}/replay`, { since: '2026-01-01T00:00:00Z' })
  const staff = await backend.as(newUser(), { admin_access: true })
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
