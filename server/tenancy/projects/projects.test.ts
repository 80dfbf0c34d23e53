import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newUser, startBackend, type TestBackend } from '../../../test/support/backend.ts'

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
