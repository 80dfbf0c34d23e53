import assert from 'node:assert/strict'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { type Caller, newUser, type Reply, request, startBackend } from '../../test/support/backend.ts'
import { newTenant, type Tenant } from '../../test/support/tenants.ts'
import { setTier } from '../../test/support/webhooks.ts'

/** As documented; written down again here so that a change of the table is a decision. */
const FREE = {
  organisations: 5,
  workspaces: 5,
  projects: 20,
  members: 25,
  invitations: 25,
  reports: 10,
  exports: 10,
}

const backend = await startBackend({ enqueues: true })
after(() => backend.stop())

const query = (text: string, ...values: unknown[]) => backend.database.pool.query(text, values)

/** Sends more concurrent requests than the limit allows: exactly as many succeed as it allows. */
async function assertLimit(places: number, detail: string, send: (n: number) => Promise<Reply>) {
  const replies = await Promise.all(Array.from({ length: places + 8 }, (_, n) => send(n)))
  const taken = replies.filter(({ status }) => status < 300)
  assert.equal(taken.length, places, detail)
  for (const { status, body } of replies.filter((reply) => reply.status >= 300))
    assert.deepEqual([status, body.code, body.detail], [409, 'limit_reached', detail])
}

test('a user creates at most the organisations of the free tier, also with concurrent requests', async () => {
  const owner = await backend.as(newUser())
  const create = () => owner.post('/api/v2/organisations', { name: 'O' })
  await assertLimit(
    FREE.organisations,
    'Limit reached: a user on the free tier can create at most 5 organisations. Delete one and try again.',
    create,
  )
  const [first] = (await owner.get('/api/v2/organisations')).body.data
  assert.equal((await owner.send('DELETE', `/api/v2/organisations/${first.id}`)).status, 204)
  assert.equal((await create()).status, 201, 'a deleted one does not count')
  assert.equal((await create()).status, 409)
})

test('organisations in which others made the user an owner do not count', async () => {
  const victim = await backend.as(newUser())
  for (let n = 0; n < FREE.organisations + 1; n++) {
    const { owner, organisation } = await newTenant(backend)
    const body = { user_id: victim.userId, role: 'owner' }
    assert.equal((await owner.post(`/api/v2/organisations/${organisation}/members`, body)).status, 201)
  }
  assert.equal((await victim.post('/api/v2/organisations', { name: 'Mine' })).status, 201)
})

test('staff create as many organisations as they need', async () => {
  const staff = await backend.as(newUser(), { admin_access: true })
  for (let n = 0; n < FREE.organisations + 2; n++)
    assert.equal((await staff.post('/api/v2/organisations', { name: 'O' })).status, 201)
})

test('an organisation holds at most the workspaces of its tier', async () => {
  const { owner, organisation } = await newTenant(backend)
  await assertLimit(
    FREE.workspaces - 1,
    'Limit reached: a free organisation can have at most 5 workspaces. Delete one and try again.',
    () => owner.post(`/api/v2/organisations/${organisation}/workspaces`, { name: 'W' }),
  )
})

test('a workspace holds at most the projects of its tier, for staff too, and more on a higher one', async () => {
  const tenant = await newTenant(backend)
  const path = `/api/v2/workspaces/${tenant.workspace}/projects`
  await assertLimit(
    FREE.projects - 1,
    'Limit reached: a free workspace can have at most 20 projects. Delete one and try again.',
    () => tenant.owner.post(path, { name: 'P' }),
  )
  const staff = await backend.as(newUser(), { admin_access: true })
  assert.equal((await staff.post(path, { name: 'P' })).body.code, 'limit_reached')
  await setTier(backend, tenant, 'innovator')
  assert.equal((await tenant.owner.post(path, { name: 'P' })).status, 201)
  await setTier(backend, tenant, 'free')
  const listed = (await tenant.owner.get(`${path}?limit=200`)).body.data
  assert.equal(listed.length, FREE.projects + 1, 'a lower tier deletes nothing')
  assert.equal((await tenant.owner.post(path, { name: 'P' })).status, 409)
})

for (const kind of ['organisation', 'workspace'] as const) {
  test(`the ${kind} has at most the members of its tier, added or invited`, async () => {
    const tenant = await newTenant(backend)
    const users = Array.from({ length: FREE.members + 8 }, newUser)
    await backend.introduce(users)
    const path = `/api/v2/${kind}s/${tenant[kind]}/members`
    await assertLimit(
      FREE.members - 1,
      `Limit reached: a free ${kind} can have at most 25 members. Remove one and try again.`,
      (n) => tenant.owner.post(path, { user_id: users[n], role: 'observer' }),
    )
    const again = await tenant.owner.post(path, { user_id: tenant.owner.userId, role: 'owner' })
    assert.notEqual(again.body.code, 'limit_reached', 'a user who is already a member does not count')

    const guest = await guestOf(tenant, path)
    const full = await guest.post(`/api/v2/invitations/${guest.invitation}/accept`)
    assert.deepEqual([full.status, full.body.code], [409, 'limit_reached'])
    const [, someone] = (await tenant.owner.get(path)).body.data.filter(
      ({ role }: { role: string }) => role === 'observer',
    )
    assert.equal((await tenant.owner.send('DELETE', `${path}/${someone.user_id}`)).status, 204)
    assert.equal((await guest.post(`/api/v2/invitations/${guest.invitation}/accept`)).status, 200)
  })

  test(`the ${kind} has at most the pending invitations of its tier`, async () => {
    const tenant = await newTenant(backend)
    const path = `/api/v2/${kind}s/${tenant[kind]}/members`
    await assertLimit(
      FREE.invitations,
      `Limit reached: a free ${kind} can have at most 25 pending invitations. Wait until one is accepted, declined or expires.`,
      (n) => tenant.owner.post(path, { email: `guest-${n}@example.com`, role: 'observer' }),
    )
    const { rows } = await query(
      `select email from invitations where ${kind}_id = $1 order by id`,
      tenant[kind],
    )
    const [one, other] = rows.map(({ email }) => email)
    assert.equal((await tenant.owner.post(path, { email: one, role: 'admin' })).status, 202, 'renewed')
    await query(`update invitations set expires_at = now() where email = $1 and role = 'observer'`, other)
    assert.equal((await tenant.owner.post(path, { email: 'late@example.com', role: 'member' })).status, 202)
    assert.equal((await tenant.owner.post(path, { email: other, role: 'member' })).status, 409)
  })
}

test('a workspace has at most the open reports of its tier, over all its projects', async () => {
  const tenant = await newTenant(backend)
  const second = await secondProject(tenant)
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
  const reportsOf = (n: number) => `/api/v2/projects/${n % 2 ? tenant.project : second}/reports`
  await assertLimit(
    FREE.reports,
    'Limit reached: a free workspace can have at most 10 reports scheduled or being generated. Wait until one is ready, or delete one.',
    (n) => tenant.owner.post(reportsOf(n), n % 3 ? {} : { scheduled_at }),
  )
  await query(
    `update reports set status = 'ready' where id = (select id from reports where project_id = $1 limit 1)`,
    second,
  )
  assert.equal((await tenant.owner.post(`/api/v2/projects/${second}/reports`, {})).status, 202)
})

test('a workspace has at most the open exports of its tier', async () => {
  const { owner, workspace } = await newTenant(backend)
  const create = () => owner.post(`/api/v2/workspaces/${workspace}/export`)
  await assertLimit(
    FREE.exports,
    'Limit reached: a free workspace can have at most 10 unexpired exports. Each expires after 24 hours.',
    create,
  )
  await query('update exports set expires_at = now() where workspace_id = $1', workspace)
  assert.equal((await create()).status, 202)
})

test('an organisation and a user have the limits of the highest tier below them', async () => {
  const { owner, organisation, workspace } = await newTenant(backend)
  await query(`update workspaces set tier = 'changemaker' where id = $1`, workspace)
  const workspaces = `/api/v2/organisations/${organisation}/workspaces`
  for (let n = 0; n < FREE.workspaces; n++)
    assert.equal((await owner.post(workspaces, { name: 'W' })).status, 201)
  for (let n = 0; n < FREE.organisations; n++)
    assert.equal((await owner.post('/api/v2/organisations', { name: 'O' })).status, 201)
})

test('with TIER_GATES=off every workspace has the limits of the highest tier', async (t) => {
  const open = await startBackend({ tierGates: false })
  t.after(() => open.stop())
  const { owner, workspace } = await newTenant(open)
  const path = `/api/v2/workspaces/${workspace}/projects`
  for (let n = 0; n < FREE.projects; n++) assert.equal((await owner.post(path, { name: 'P' })).status, 201)
})

/** A user of the identity store with an e-mail address, invited where the path says. */
async function guestOf({ owner }: Tenant, path: string): Promise<Caller & { invitation: string }> {
  const caller = await backend.as(newUser())
  const email = `${caller.userId}@example.com`
  await query('update identity.users set email = $2 where id = $1', caller.userId, email)
  const { status, body } = await owner.post(path, { email, role: 'member' })
  assert.equal(status, 202)
  return { ...caller, invitation: body.id }
}

const GIB = 1024 ** 3
const STORAGE_TEXT =
  'Limit reached: a free workspace can store at most 20 GiB of recordings. Delete some and try again.'

const startConversation = (project: string) =>
  request(`${backend.url}/api/participant/projects/${project}/conversations`, 'POST', {})
const startUpload = ({ owner, project }: Tenant) =>
  owner.send('POST', `/api/v2/projects/${project}/uploads`, undefined, {
    'tus-resumable': '1.0.0',
    'upload-length': '9',
  })

/** Another project of the tenant’s workspace. */
const secondProject = async ({ owner, workspace }: Tenant): Promise<string> =>
  (await owner.post(`/api/v2/workspaces/${workspace}/projects`, { name: 'P' })).body.id

test('a workspace stores at most the bytes of its tier, over all its projects', async () => {
  const tenant = await newTenant(backend)
  await query(
    `insert into conversations (id, project_id, status, source, bytes) values ($1, $2, 'done', 'upload', $3)`,
    newId(),
    await secondProject(tenant),
    20 * GIB,
  )
  const refused = await startConversation(tenant.project)
  assert.deepEqual(
    [refused.status, refused.body.code, refused.body.detail],
    [409, 'limit_reached', STORAGE_TEXT],
  )
  const upload = await startUpload(tenant)
  assert.deepEqual([upload.status, upload.body?.detail], [409, STORAGE_TEXT])
})

test('unfinished uploads of all its projects count for the storage of a workspace', async () => {
  const tenant = await newTenant(backend)
  const folder = join(backend.filesFolder, 'uploads', await secondProject(tenant), 'somebody')
  await mkdir(folder, { recursive: true })
  await using file = await open(join(folder, newId()), 'w')
  await file.truncate(20 * GIB)
  const upload = await startUpload(tenant)
  assert.deepEqual([upload.status, upload.body?.detail], [409, STORAGE_TEXT])
  assert.equal((await startConversation(tenant.project)).status, 201, 'recording continues')
})
