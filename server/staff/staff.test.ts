import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Caller, newUser, startBackend } from '../../test/support/backend.ts'
import { newMember, newTenant } from '../../test/support/tenants.ts'

const backend = await startBackend()
const staff = await backend.as(newUser(), { admin_access: true })
after(() => backend.stop())

const setTier = (workspace: string, body: object) =>
  staff.send('PUT', `/api/v2/admin/workspaces/${workspace}/tier`, body)
const transfer = (workspace: string, organisation_id: string, reason = 'x') =>
  staff.post(`/api/v2/admin/workspaces/${workspace}/transfer`, { organisation_id, reason })

test('staff set a tier, with a reason that the organisation can read', async () => {
  const { owner, organisation, workspace } = await newTenant(backend)
  const reply = await setTier(workspace, { tier: 'guardian', reason: 'A gift' })
  assert.deepEqual([reply.status, reply.body.tier], [200, 'guardian'])
  assert.equal((await owner.get(`/api/v2/workspaces/${workspace}`)).body.tier, 'guardian')
  const [row] = (await owner.get(`/api/v2/organisations/${organisation}/audit`)).body.data
  assert.deepEqual(
    [row.action, row.reason, row.details, row.actor_id, row.actor_staff],
    ['workspace.tier_set', 'A gift', { from: 'free', to: 'guardian' }, staff.userId, true],
  )
})

test('refuses a tier without a reason, and an unknown tier, and names the field', async () => {
  const { workspace } = await newTenant(backend)
  const fields = async (body: object) =>
    (await setTier(workspace, body)).body.errors.map((error: { path: string }) => error.path)
  assert.deepEqual(await fields({ tier: 'gold', reason: ' ' }), ['tier', 'reason'])
  assert.deepEqual(await fields({ tier: 'free' }), ['reason'])
})

test('a transferred workspace keeps its members, and both organisations see it in their audit log', async () => {
  const [from, to] = [await newTenant(backend, 'From'), await newTenant(backend, 'To')]
  const reply = await transfer(from.workspace, to.organisation, 'Merged')
  assert.deepEqual([reply.status, reply.body.organisation_id], [200, to.organisation])

  const project = `/api/v2/projects/${from.project}`
  assert.equal((await from.owner.get(project)).status, 200, 'its owner still has a role in it')
  assert.equal((await to.owner.get(`/api/v2/workspaces/${from.workspace}`)).status, 200)
  assert.equal((await to.owner.get(project)).status, 403, 'an organisation role alone gives no capability')
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

test('a transfer to an unknown organisation gets 422; of an unknown workspace, 404', async () => {
  const { workspace, organisation } = await newTenant(backend)
  const nowhere = await transfer(workspace, randomUUID())
  assert.deepEqual([nowhere.status, nowhere.body.errors[0].path], [422, 'organisation_id'])
  for (const id of [randomUUID(), 'x']) assert.equal((await transfer(id, organisation)).status, 404)
})

test('concurrent transfers and changes of members neither deadlock nor fail', async () => {
  const [a, b] = [await newTenant(backend), await newTenant(backend)]
  const users = Array.from({ length: 24 }, newUser)
  await backend.introduce(users)
  const addTo = (scope: string, user_id: string | undefined) =>
    a.owner.post(`/api/v2/${scope}/members`, { user_id, role: 'observer' })
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, n) => [
      transfer(a.workspace, n % 2 ? a.organisation : b.organisation),
      addTo(`workspaces/${a.workspace}`, users[n]),
      addTo(`organisations/${a.organisation}`, users[12 + n]),
    ]).flat(),
  )
  for (const { status } of replies)
    assert.ok(status === 200 || status === 201 || status === 404, String(status))
})

test('staff see all organisations and workspaces, and can narrow the list', async () => {
  const { organisation, workspace } = await newTenant(backend)
  const [first] = (await staff.get('/api/v2/admin/organisations?limit=1')).body.data
  assert.equal(first.id, organisation)
  const path = `/api/v2/admin/workspaces?organisation_id=${organisation}`
  const { data } = (await staff.get(path)).body
  assert.deepEqual([data.length, data[0].id], [1, workspace])
  assert.deepEqual((await staff.get(`${path}&tier=guardian`)).body.data, [])
  const usage = (await staff.get('/api/v2/admin/usage')).body
  assert.ok(usage.organisations >= 1 && usage.by_tier.free >= 1)
})

test('the audit log of an organisation marks what staff did', async () => {
  const { owner, organisation, project } = await newTenant(backend)
  await staff.send('PATCH', `/api/v2/projects/${project}`, { is_open: false })
  const [row] = (await owner.get(`/api/v2/organisations/${organisation}/audit`)).body.data
  assert.deepEqual([row.action, row.actor_staff], ['project.updated', true])
})

test('the audit log and the changes of a project name their actors; an organisation does not learn the names of staff', async () => {
  const { owner, organisation, project } = await newTenant(backend)
  const other = await newMember(backend, owner, `/api/v2/organisations/${organisation}`, 'owner')
  const profile = 'update identity.users set first_name = $2, last_name = $3, email = $4 where id = $1'
  const known = [
    [owner.userId, 'Mara', 'Vos', `${owner.userId}@example.org`],
    [other.userId, null, null, `${other.userId}@example.org`],
    [staff.userId, 'Sam', 'Operator', `${staff.userId}@example.org`],
  ]
  for (const values of known) await backend.database.pool.query(profile, values)
  await staff.send('PATCH', `/api/v2/projects/${project}`, { is_open: false })
  const namesIn = async (reader: Caller, path: string) => {
    const { data } = (await reader.get(path)).body
    return new Map(data.map((row: Record<string, string>) => [row['actor_id'], row['actor_name']]))
  }
  const ofOrganisation = await namesIn(owner, `/api/v2/organisations/${organisation}/audit`)
  assert.equal(ofOrganisation.get(owner.userId), 'Mara Vos')
  assert.equal(ofOrganisation.get(staff.userId), null)
  const ofService = await namesIn(staff, '/api/v2/admin/audit?limit=100')
  assert.equal(ofService.get(owner.userId), 'Mara Vos')
  assert.equal(ofService.get(staff.userId), 'Sam Operator')
  const changes = `/api/v2/projects/${project}/changes`
  const [change] = (await owner.get(changes)).body.data
  assert.deepEqual([change.user_name, change.staff], [null, true])
  assert.equal((await staff.get(changes)).body.data[0].user_name, 'Sam Operator')
  const removal = `/api/v2/organisations/${organisation}/members/${other.userId}`
  assert.equal((await other.send('DELETE', removal)).status, 204)
  const left = await namesIn(owner, `/api/v2/organisations/${organisation}/audit`)
  assert.equal(left.get(other.userId), `${other.userId}@example.org`)
})
