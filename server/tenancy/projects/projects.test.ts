import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newUser, startBackend } from '../../../test/support/backend.ts'
import { newPortal } from '../../../test/support/conversations.ts'
import {
  conversationStarted,
  emitNow,
  newWebhook,
  newWebhookTenant,
  until,
} from '../../../test/support/webhooks.ts'

const backend = await startBackend()
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

test('the privacy link is an https address without user name and password', async () => {
  const { owner, projectId: project } = await newPortal(backend)
  const path = `/api/v2/projects/${project}`
  const refused = [
    'http://city.example/privacy',
    'https://city.example@evil.example/',
    'https://user:pass@city.example/',
    'https://@city.example/',
    'https:/\\user@city.example/',
    'https://city.example\\@evil.example/',
    'https://city.example/a\tb',
    'javascript:alert(1)',
    'data:text/html,x',
    '//city.example/',
    'city.example',
    '',
  ]
  for (const privacy_url of refused) {
    for (const reply of [
      await owner.send('PATCH', path, { privacy_url }),
      await owner.post(`/api/v2/workspaces/${(await owner.get(path)).body.workspace_id}/projects`, {
        name: 'Another',
        privacy_url,
      }),
    ]) {
      assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_input'], privacy_url)
      assert.equal(reply.body.errors[0].path, 'privacy_url')
    }
  }
  for (const privacy_url of [
    'https://city.example/privacy?mail=a@b#c',
    'https://city.example/@handle',
    null,
  ]) {
    const reply = await owner.send('PATCH', path, { privacy_url })
    assert.deepEqual([reply.status, reply.body.privacy_url], [200, privacy_url])
  }
})

test('a stored privacy link that is no longer accepted is shown to hosts and not to participants', async () => {
  const { owner, projectId: project } = await newPortal(backend)
  const portal = () => owner.get(`/api/participant/projects/${project}`)
  for (const stored of ['http://city.example/privacy', 'https://city.example@evil.example/']) {
    await backend.database.pool.query('update projects set privacy_url = $1 where id = $2', [stored, project])
    assert.deepEqual([(await portal()).status, (await portal()).body.privacy_url], [200, null])
    assert.equal((await owner.get(`/api/v2/projects/${project}`)).body.privacy_url, stored)
    const renamed = await owner.send('PATCH', `/api/v2/projects/${project}`, { title: 'Another heading' })
    assert.equal(renamed.status, 200)
  }
  await owner.send('PATCH', `/api/v2/projects/${project}`, { privacy_url: 'https://city.example/privacy' })
  assert.equal((await portal()).body.privacy_url, 'https://city.example/privacy')
})

test('the accent colour must be visible on the recording page', async () => {
  const { owner, projectId: project } = await newPortal(backend)
  const path = `/api/v2/projects/${project}`
  const set = await owner.send('PATCH', path, { accent_color: '#B3261E' })
  assert.deepEqual([set.status, set.body.accent_color], [200, '#b3261e'])
  const pale = await owner.send('PATCH', path, { accent_color: '#ffcc00' })
  assert.deepEqual([pale.status, pale.body.errors[0].path], [422, 'accent_color'])
  assert.match(pale.body.errors[0].message, /contrast of 1\.51:1 .* at least 3:1/)
  for (const accent_color of [
    'red',
    '#fff',
    '#12345g',
    '#1234567',
    'b3261e',
    '',
    '#b3261e;background:url(x)',
    5,
  ])
    assert.equal((await owner.send('PATCH', path, { accent_color })).status, 422, String(accent_color))
  assert.equal((await owner.get(path)).body.accent_color, '#b3261e')
  assert.equal((await owner.send('PATCH', path, { accent_color: null })).body.accent_color, null)
})

test('a deleted project leaves no payload behind: deliveries keep ids and timings, and pending ones are cancelled', async (t) => {
  const working = await startBackend({ worker: true })
  t.after(() => working.stop())
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
})
