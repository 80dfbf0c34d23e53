import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { newUser, startBackend } from '../../test/support/backend.ts'
import { newMember, newTenant } from '../../test/support/tenants.ts'

const backend = await startBackend()
after(() => backend.stop())

test('deleting an organisation deletes its workspaces and projects immediately', async () => {
  const { owner, organisation, workspace, project } = await newTenant(backend)
  assert.equal((await owner.send('DELETE', `/api/v2/organisations/${organisation}`)).status, 204)
  for (const path of [`organisations/${organisation}`, `workspaces/${workspace}`, `projects/${project}`]) {
    assert.equal((await owner.get(`/api/v2/${path}`)).status, 404)
  }
  const me = (await owner.get('/api/v2/me')).body
  assert.deepEqual([me.organisations, me.workspaces], [[], []])
})

test('concurrent deletion and creation never leave a record in a deleted one', async () => {
  for (let round = 0; round < 10; round++) {
    const { owner, organisation, workspace } = await newTenant(backend)
    const paths = [
      `/api/v2/workspaces/${workspace}/projects`,
      `/api/v2/organisations/${organisation}/workspaces`,
    ]
    await Promise.all([
      ...Array.from({ length: 8 }, (_, n) => owner.post(paths[n % 2] ?? '', { name: 'x' })),
      owner.send('DELETE', `/api/v2/organisations/${organisation}`),
    ])
  }
  const { rows } = await sql`
    select 1 from workspaces w join organisations o on o.id = w.organisation_id where w.deleted_at is null and o.deleted_at is not null
    union all
    select 1 from projects p join workspaces w on w.id = p.workspace_id where p.deleted_at is null and w.deleted_at is not null`.execute(
    backend.database.db,
  )
  assert.equal(rows.length, 0)
})

test('/me lists the workspaces of the user with the capabilities of each role', async () => {
  const tenant = await newTenant(backend)
  const path = `/api/v2/workspaces/${tenant.workspace}`
  const observer = await newMember(backend, tenant.owner, path, 'observer')
  const me = (await observer.get('/api/v2/me')).body
  assert.deepEqual(me.organisations, [])
  const { capabilities } = me.workspaces[0]
  assert.deepEqual(capabilities.toSorted(), ['conversation:read', 'project:read', 'report:read'])
  assert.equal(me.workspaces[0].tier, 'free')
  assert.equal(me.staff, false)
})

test('usage does not count deleted projects', async () => {
  const { owner, organisation, workspace, project } = await newTenant(backend)
  await owner.post(`/api/v2/workspaces/${workspace}/projects`, { name: 'Closed', is_open: false })
  await owner.send('DELETE', `/api/v2/projects/${project}`)
  await owner.post(`/api/v2/workspaces/${workspace}/members`, { email: 'a@example.com', role: 'member' })
  const usage = { members: 1, projects: 1, open_projects: 0, pending_invitations: 1, conversations: 0 }
  const stored = { audio_seconds: 0, stored_bytes: 0, reports: 0, webhooks: 0 }
  assert.deepEqual((await owner.get(`/api/v2/workspaces/${workspace}/usage`)).body, {
    ...usage,
    ...stored,
    workspace_id: workspace,
    tier: 'free',
    // docs/roles-and-tiers.md, "Limits".
    limits: { members: 25, projects: 20, pending_invitations: 25, stored_bytes: 20 * 1024 ** 3 },
  })
  assert.deepEqual((await owner.get(`/api/v2/organisations/${organisation}/usage`)).body, {
    ...usage,
    ...stored,
    organisation_id: organisation,
    workspaces: 1,
    by_tier: { free: 1 },
    limits: { members: 25, workspaces: 5 },
  })
})

test('every change writes one entry to the audit log of the organisation, in order, with the actor', async () => {
  const { owner, organisation, workspace, project } = await newTenant(backend)
  const circle = `/api/v2/workspaces/${workspace}/members`
  const user = newUser()
  await backend.introduce([user])
  await owner.post(circle, { user_id: user, role: 'observer' })
  await owner.send('PATCH', `${circle}/${user}`, { role: 'member' })
  await owner.send('DELETE', `${circle}/${user}`)
  await owner.send('PATCH', `/api/v2/projects/${project}`, { name: 'Renamed' })
  await owner.send('DELETE', `/api/v2/projects/${project}`)
  const { data } = (await owner.get(`/api/v2/organisations/${organisation}/audit`)).body
  assert.deepEqual(
    data.toReversed().map((row: { action: string }) => row.action),
    [
      'organisation.created',
      'workspace.created',
      'project.created',
      'workspace.member.added',
      'workspace.member.role_changed',
      'workspace.member.removed',
      'project.updated',
      'project.deleted',
    ],
  )
  assert.deepEqual(data[3].details, { from: 'observer', to: 'member' })
  for (const row of data) assert.equal(row.actor_id, owner.userId)
})

test('the audit log is append-only, also for the backend', async () => {
  await newTenant(backend)
  for (const statement of [
    'update parley.audit_log set actor_id = $$x$$',
    'delete from parley.audit_log',
    'truncate parley.audit_log',
  ]) {
    await assert.rejects(backend.database.pool.query(statement), /append-only/)
  }
})

test('a change is rolled back if its audit entry cannot be written', async () => {
  const { owner, project } = await newTenant(backend)
  await backend.database.pool.query(
    `alter table audit_log add constraint broken check (action <> 'project.deleted') not valid`,
  )
  const reply = await owner.send('DELETE', `/api/v2/projects/${project}`)
  await backend.database.pool.query('alter table audit_log drop constraint broken')
  assert.equal(reply.status, 500)
  assert.doesNotMatch(reply.text, /audit_log|broken|constraint/)
  assert.equal((await owner.get(`/api/v2/projects/${project}`)).status, 200)
})

test('with ORGANISATION_CREATION=staff only staff create organisations', async () => {
  const strict = await startBackend({ organisationCreation: 'staff' })
  const anybody = await strict.as(newUser())
  const staff = await strict.as(newUser(), { admin_access: true })
  const refused = await anybody.post('/api/v2/organisations', { name: 'x' })
  assert.deepEqual([refused.status, refused.body.code], [403, 'staff_required'])
  assert.equal((await staff.post('/api/v2/organisations', { name: 'x' })).status, 201)
  await strict.stop()
})
