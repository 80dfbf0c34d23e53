import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { newUser, startBackend } from '../../test/support/backend.ts'
import { newTenant } from '../../test/support/tenants.ts'

const backend = await startBackend()
const staff = await backend.as(newUser(), { admin_access: true })
after(() => backend.stop())

test('staff set a tier, with a reason that the organisation can read', async () => {
  const { owner, organisation, workspace } = await newTenant(backend)
  const reply = await staff.send('PUT', `/api/v2/admin/workspaces/${workspace}/tier`, {
    tier: 'guardian',
    reason: 'A gift',
  })
  assert.deepEqual([reply.status, reply.body.tier], [200, 'guardian'])
  assert.equal((await owner.get(`/api/v2/workspaces/${workspace}`)).body.tier, 'guardian')
  const [row] = (await owner.get(`/api/v2/organisations/${organisation}/audit`)).body.data
  assert.deepEqual(
    [row.action, row.reason, row.details, row.actor_id, row.actor_staff],
    ['workspace.tier_set', 'A gift', { from: 'free', to: 'guardian' }, staff.userId, true],
  )
})

test('a tier without a reason, or with a name that is none, is refused by its field', async () => {
  const { workspace } = await newTenant(backend)
  const path = `/api/v2/admin/workspaces/${workspace}/tier`
  const fields = async (body: unknown) =>
    (await staff.send('PUT', path, body)).body.errors.map((error: { path: string }) => error.path)
  assert.deepEqual(await fields({ tier: 'gold', reason: ' ' }), ['tier', 'reason'])
  assert.deepEqual(await fields({ tier: 'free' }), ['reason'])
})

test('a transferred workspace is the new organisation’s, keeps its members, and both can read of it', async () => {
  const [from, to] = [await newTenant(backend, 'From'), await newTenant(backend, 'To')]
  const body = { organisation_id: to.organisation, reason: 'Merged' }
  const reply = await staff.post(`/api/v2/admin/workspaces/${from.workspace}/transfer`, body)
  assert.deepEqual([reply.status, reply.body.organisation_id], [200, to.organisation])

  assert.equal(
    (await from.owner.get(`/api/v2/projects/${from.project}`)).status,
    200,
    'its own owner still holds a role in it',
  )
  assert.equal((await to.owner.get(`/api/v2/workspaces/${from.workspace}`)).status, 200)
  assert.equal(
    (await to.owner.get(`/api/v2/projects/${from.project}`)).status,
    403,
    'an organisation role alone gives no capability',
  )
  const outside = await from.owner.get(`/api/v2/organisations/${from.organisation}/workspaces`)
  assert.deepEqual(outside.body.data, [])
  for (const { owner, organisation } of [from, to]) {
    const [row] = (await owner.get(`/api/v2/organisations/${organisation}/audit`)).body.data
    assert.deepEqual(
      [row.action, row.reason, row.organisation_id, row.to_organisation_id],
      ['workspace.transferred', 'Merged', from.organisation, to.organisation],
    )
  }
})

test('a transfer to what is no organisation names the field; of what is no workspace, 404', async () => {
  const { workspace, organisation } = await newTenant(backend)
  const nowhere = await staff.post(`/api/v2/admin/workspaces/${workspace}/transfer`, {
    organisation_id: randomUUID(),
    reason: 'x',
  })
  assert.deepEqual([nowhere.status, nowhere.body.errors[0].path], [422, 'organisation_id'])
  for (const id of [randomUUID(), 'x']) {
    assert.equal(
      (
        await staff.post(`/api/v2/admin/workspaces/${id}/transfer`, {
          organisation_id: organisation,
          reason: 'x',
        })
      ).status,
      404,
    )
  }
})

test('transfers and role changes at once neither deadlock nor fail', async () => {
  const [a, b] = [await newTenant(backend), await newTenant(backend)]
  const users = Array.from({ length: 24 }, newUser)
  await backend.introduce(users)
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, n) => [
      staff.post(`/api/v2/admin/workspaces/${a.workspace}/transfer`, {
        organisation_id: n % 2 ? a.organisation : b.organisation,
        reason: 'x',
      }),
      a.owner.post(`/api/v2/workspaces/${a.workspace}/members`, { user_id: users[n], role: 'observer' }),
      a.owner.post(`/api/v2/organisations/${a.organisation}/members`, {
        user_id: users[12 + n],
        role: 'observer',
      }),
    ]).flat(),
  )
  for (const { status } of replies)
    assert.ok(status === 200 || status === 201 || status === 404, String(status))
})

test('staff see all organisations and workspaces, and can narrow the list', async () => {
  const { organisation, workspace } = await newTenant(backend)
  const [first] = (await staff.get('/api/v2/admin/organisations?limit=1')).body.data
  assert.equal(first.id, organisation)
  const narrowed = (await staff.get(`/api/v2/admin/workspaces?organisation_id=${organisation}`)).body.data
  assert.deepEqual(
    narrowed.map((record: { id: string }) => record.id),
    [workspace],
  )
  assert.deepEqual(
    (await staff.get(`/api/v2/admin/workspaces?organisation_id=${organisation}&tier=guardian`)).body.data,
    [],
  )
  const usage = (await staff.get('/api/v2/admin/usage')).body
  assert.ok(usage.organisations >= 1 && usage.by_tier.free >= 1)
})

test('what staff do in an organisation of others is in its audit log as staff’s', async () => {
  const { owner, organisation, project } = await newTenant(backend)
  await staff.send('PATCH', `/api/v2/projects/${project}`, { is_open: false })
  const [row] = (await owner.get(`/api/v2/organisations/${organisation}/audit`)).body.data
  assert.deepEqual([row.action, row.actor_staff], ['project.updated', true])
})
