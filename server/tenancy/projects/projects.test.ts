import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUser, startBackend, type TestBackend } from '../../../test/support/backend.ts'
import {
  conversationStarted,
  emitNow,
  newWebhook,
  newWebhookTenant,
  until,
} from '../../../test/support/webhooks.ts'

let backend: TestBackend
before(async () => {
  backend = await startBackend()
})
after(() => backend.stop())

test('a project lives from its creation to its deletion', async () => {
  const owner = await backend.as(newUser())
  const organisation = (await owner.post('/api/v2/organisations', { name: 'City' })).body
  const workspace = (
    await owner.post(`/api/v2/organisations/${organisation.id}/workspaces`, { name: 'Hearings' })
  ).body
  const made = await owner.post(`/api/v2/workspaces/${workspace.id}/projects`, {
    name: 'Park',
    tags: ['north'],
  })
  assert.equal(made.status, 201)
  assert.equal(made.headers.get('location'), `/api/v2/projects/${made.body.id}`)

  const path = `/api/v2/projects/${made.body.id}`
  const read = await owner.get(path)
  assert.deepEqual(read.body, made.body)
  assert.equal(read.headers.get('etag'), made.headers.get('etag'))

  const patched = await owner.send('PATCH', path, { is_open: false, hotwords: ['Kroonplein'] })
  assert.equal(patched.status, 200)
  assert.deepEqual(patched.body, { ...made.body, is_open: false, hotwords: ['Kroonplein'] })
  assert.deepEqual((await owner.get(path)).body, patched.body)

  assert.equal((await owner.send('DELETE', path)).status, 204)
  assert.equal((await owner.get(path)).status, 404)
})

test('a deleted project leaves no payload behind: deliveries keep ids and timings, and pending ones are cancelled', async () => {
  const working = await startBackend({ worker: true })
  try {
    const tenant = await newWebhookTenant(working)
    // Nothing listens there, so that the delivery waits for its next attempt.
    await newWebhook(tenant, { url: 'http://127.0.0.1:9/' })
    const id = await emitNow(working, conversationStarted(tenant.project))
    const stateOf = async () => {
      const { rows } = await working.database.pool.query<{ status: string; erased: boolean }>(
        `select d.status, e.full_body is null and e.ids_body is null as erased
         from events e join deliveries d on d.event_id = e.id where e.id = $1`,
        [id],
      )
      return rows
    }
    assert.deepEqual(await stateOf(), [{ status: 'pending', erased: false }])
    assert.equal((await tenant.owner.send('DELETE', `/api/v2/projects/${tenant.project}`)).status, 204)
    await until(stateOf, ([row]) => row?.status === 'cancelled' && row.erased)
  } finally {
    await working.stop()
  }
})
