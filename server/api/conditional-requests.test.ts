import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newUser, request, startBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal } from '../../test/support/conversations.ts'
import { newWebhook, newWebhookTenant, webhooksOf } from '../../test/support/webhooks.ts'

const backend = await startBackend({ enqueues: true })
const portal = await newPortal(backend)
after(() => backend.stop())

/** A record, lists, a count, a file and a public page: whatever a GET returns, except for streams. */
const paths = async (): Promise<string[]> => {
  const { id } = await newConversation(portal)
  return [
    '/api/v2/me',
    '/api/v2/organisations',
    `/api/v2/organisations/${portal.organisationId}`,
    `/api/v2/organisations/${portal.organisationId}/usage`,
    `/api/v2/workspaces/${portal.workspaceId}/projects`,
    `/api/v2/projects/${portal.projectId}`,
    `/api/v2/projects/${portal.projectId}/conversations`,
    `/api/v2/conversations/${id}`,
    `/api/v2/conversations/${id}/transcript?format=txt`,
    `/api/participant/projects/${portal.projectId}`,
    '/api/openapi.json',
  ]
}

test('a GET with the ETag of the last response gets 304 without a body, HEAD as well', async () => {
  for (const path of await paths()) {
    const first = await portal.owner.get(path)
    const etag = first.headers.get('etag') as string
    assert.ok(etag, `${path} has no ETag`)
    for (const method of ['GET', 'HEAD']) {
      const again = await portal.owner.send(method, path, undefined, { 'if-none-match': etag })
      assert.deepEqual([again.status, again.text], [304, ''], `${method} ${path}`)
      assert.equal(again.headers.get('etag'), etag)
      assert.equal(again.headers.get('content-type'), null)
    }
  }
})

test('If-None-Match is compared weakly, takes lists and *, and other tags get the whole result', async () => {
  const path = `/api/v2/projects/${portal.projectId}`
  const etag = (await portal.owner.get(path)).headers.get('etag') as string
  const statusFor = async (tags: string) => (await portal.owner.get(path, { 'if-none-match': tags })).status
  for (const tags of [`W/${etag}`, `"other", ${etag}`, `"other",W/${etag} , "more"`, '*', ' * '])
    assert.equal(await statusFor(tags), 304, tags)
  for (const tags of ['"other"', etag.slice(1, -1), '', 'W/"other"'])
    assert.equal(await statusFor(tags), 200, tags)
})

test('a change of the record changes its ETag', async () => {
  const path = `/api/v2/projects/${portal.projectId}`
  const etag = (await portal.owner.get(path)).headers.get('etag') as string
  await portal.owner.send('PATCH', path, { name: `Renamed ${newUser()}` })
  const after = await portal.owner.get(path, { 'if-none-match': etag })
  assert.equal(after.status, 200)
  assert.notEqual(after.headers.get('etag'), etag)
})

test('errors and changes are never 304', async () => {
  const unknown = await portal.owner.get(`/api/v2/projects/${newUser()}`, { 'if-none-match': '*' })
  assert.equal(unknown.status, 404)
  const created = await portal.owner.post('/api/v2/organisations', { name: 'City' }, { 'if-none-match': '*' })
  assert.equal(created.status, 201)
  const anonymous = await request(`${backend.url}/api/v2/me`, 'GET', undefined, { 'if-none-match': '*' })
  assert.equal(anonymous.status, 401)
})

test('the ETag of a webhook follows its health, and If-Match only what can be changed', async () => {
  const tenant = await newWebhookTenant(backend)
  const { id } = await newWebhook(tenant, { url: 'http://127.0.0.1:9/' })
  const path = `${webhooksOf(tenant)}/${id}`
  const first = await tenant.owner.get(path)
  const etag = first.headers.get('etag') as string
  await backend.database.pool.query(
    'update endpoint_queues set consecutive_failures = consecutive_failures + 1 where webhook_id = $1',
    [id],
  )
  const second = await tenant.owner.get(path, { 'if-none-match': etag })
  assert.equal(second.status, 200)
  assert.notEqual(second.body.health.consecutive_failures, first.body.health.consecutive_failures)
  const changed = await tenant.owner.send('PATCH', path, { name: 'Renamed' }, { 'if-match': etag })
  assert.equal(changed.status, 200)
  assert.equal((await tenant.owner.send('PATCH', path, { name: 'Late' }, { 'if-match': etag })).status, 412)
})
