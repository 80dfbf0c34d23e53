import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { startBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal } from '../../test/support/conversations.ts'
import { newMember, newTenant } from '../../test/support/tenants.ts'
import { newWebhook, newWebhookTenant, PUBLIC } from '../../test/support/webhooks.ts'

const backend = await startBackend()
after(() => backend.stop())

const query = (text: string, values: unknown[]) => backend.database.pool.query(text, values)
const NOTHING = {
  conversations: [],
  reports: [],
  attention: { webhooks: [], conversations: [], reports: [], invitations: [] },
}

async function newReport(projectId: string, status: string, daysAgo = 0): Promise<string> {
  const { rows } = await query(
    `insert into reports (id, project_id, status, title, language, created_by, created_at)
     select (left(uuid_floor(at)::text, 19) || right($1::text, 17))::uuid, $2, $3, 'Findings', 'en', 'x', at
     from (select now() - $4 * interval '1 day' as at) t returning id`,
    [randomUUID(), projectId, status, daysAgo],
  )
  return rows[0].id
}

test('lists the newest conversations and reports of all workspaces of the user', async () => {
  const portal = await newPortal(backend)
  const { owner, projectId } = portal
  const { id: first } = await newConversation(portal, { participant_name: 'Ada' })
  const other = await newTenant(backend)
  await other.owner.post(`/api/v2/workspaces/${other.workspace}/members`, {
    user_id: owner.userId,
    role: 'observer',
  })
  const url = `${backend.url}/api/participant/projects/${other.project}`
  const { id: second } = await newConversation({ ...portal, url })
  const report = await newReport(projectId, 'ready')
  const { body } = await owner.get('/api/v2/me/activity')
  assert.deepEqual(
    body.conversations.map(({ id, project_name, participant_name, status }: Record<string, unknown>) => [
      id,
      project_name,
      participant_name,
      status,
    ]),
    [
      [second, 'Tenant', null, 'recording'],
      [first, 'Park', 'Ada', 'recording'],
    ],
  )
  assert.deepEqual([body.reports.length, body.reports[0].id, body.reports[0].title], [1, report, 'Findings'])
  assert.deepEqual(body.attention, NOTHING.attention)
})

test('a billing user and a stranger see nothing, and a deleted project is gone', async () => {
  const portal = await newPortal(backend)
  const { owner, projectId, workspaceId } = portal
  await newConversation(portal)
  await newReport(projectId, 'failed')
  const billing = await newMember(backend, owner, `/api/v2/workspaces/${workspaceId}`, 'billing')
  const stranger = (await newTenant(backend)).owner
  for (const user of [billing, stranger])
    assert.deepEqual((await user.get('/api/v2/me/activity')).body, NOTHING)
  await owner.send('DELETE', `/api/v2/projects/${projectId}`)
  assert.deepEqual((await owner.get('/api/v2/me/activity')).body, NOTHING)
})

test('failed conversations are counted per project, and recent failed reports are listed', async () => {
  const portal = await newPortal(backend)
  const { owner, projectId } = portal
  const ids = [await newConversation(portal), await newConversation(portal), await newConversation(portal)]
  await query(`update conversations set status = 'failed', failure = 'unreadable' where id = any($1)`, [
    ids.slice(1).map(({ id }) => id),
  ])
  const failed = await newReport(projectId, 'failed')
  await newReport(projectId, 'failed', 8)
  const { attention } = (await owner.get('/api/v2/me/activity')).body
  assert.deepEqual(attention.conversations, [{ project_id: projectId, project_name: 'Park', failed: 2 }])
  assert.deepEqual(
    attention.reports.map(({ id }: { id: string }) => id),
    [failed],
  )
})

test('webhooks that fail or were disabled need attention, for those who manage them, and above the tier', async () => {
  const tenant = await newWebhookTenant(backend)
  const make = async (name: string) => (await newWebhook(tenant, { url: PUBLIC, name })).id as string
  const [fine, failing, gone, manual] = [
    await make('fine'),
    await make('failing'),
    await make('gone'),
    await make('manual'),
  ]
  await query('update endpoint_queues set consecutive_failures = 3 where webhook_id = $1', [failing])
  await query(`update webhooks set enabled = false, disabled_reason = 'gone' where id = $1`, [gone])
  await query(`update webhooks set enabled = false, disabled_reason = 'manual' where id = $1`, [manual])
  const read = async (user = tenant.owner) => (await user.get('/api/v2/me/activity')).body.attention.webhooks
  assert.deepEqual(
    (await read()).map(({ id, state, disabled_reason, consecutive_failures }: Record<string, unknown>) => [
      id,
      state,
      disabled_reason,
      consecutive_failures,
    ]),
    [
      [gone, 'disabled', 'gone', 0],
      [failing, 'failing', null, 3],
    ],
  )
  assert.ok(fine)
  const member = await newMember(backend, tenant.owner, `/api/v2/workspaces/${tenant.workspace}`, 'member')
  assert.deepEqual(await read(member), [])
  await query(`update workspaces set tier = 'free' where id = $1`, [tenant.workspace])
  assert.deepEqual(await read(), [])
})

test('an invitation that expired is shown to the user who sent it, until it is sent again or 7 days have passed', async () => {
  const { owner, organisation, workspace } = await newTenant(backend)
  const members = `/api/v2/workspaces/${workspace}/members`
  const invited = { email: 'a@example.com', role: 'member' }
  await owner.post(members, invited)
  await owner.post(`/api/v2/organisations/${organisation}/members`, {
    email: 'b@example.com',
    role: 'billing',
  })
  const colleague = await newMember(backend, owner, `/api/v2/workspaces/${workspace}`, 'admin')
  const read = async (user = owner) => (await user.get('/api/v2/me/activity')).body.attention.invitations
  assert.deepEqual(await read(), [], 'none has expired')
  const expire = (email: string, ago: string) =>
    query(
      'update invitations set expires_at = now() - $3::interval where organisation_id = $1 and email = $2',
      [organisation, email, ago],
    )
  await expire('a@example.com', '1 hour')
  await expire('b@example.com', '6 days')
  await backend.runTask('invitations')
  const expired = await read()
  assert.deepEqual(
    expired.map((one: Record<string, unknown>) => [
      one['email'],
      one['role'],
      one['workspace_id'],
      one['scope_name'],
    ]),
    [
      ['a@example.com', 'member', workspace, 'Tenant'],
      ['b@example.com', 'billing', null, 'Tenant'],
    ],
  )
  assert.deepEqual(await read(colleague), [])
  await owner.post(members, invited)
  await expire('b@example.com', '8 days')
  await backend.runTask('invitations')
  assert.deepEqual(await read(), [])
})
