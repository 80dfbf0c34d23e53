import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { type Caller, callerOf, request, startBackend } from '../../../test/support/backend.ts'
import { newMember, newTenant } from '../../../test/support/tenants.ts'

const backend = await startBackend()
const tenant = await newTenant(backend)
after(() => backend.stop())
const login = async (body: object): Promise<string> =>
  (await request(`${backend.identityUrl}/auth/login`, 'POST', body)).body.access_token
const authorization = `Bearer ${await login(backend.admin)}`

/** A user of the real identity store, with an address. */
async function newPerson(): Promise<Caller & { email: string }> {
  const email = `${randomUUID()}@example.com`
  const password = 'a good password'
  const user = { email, password, first_name: 'Ada' }
  const made = await request(`${backend.identityUrl}/users`, 'POST', user, { authorization })
  return { email, ...callerOf(backend.url, made.body.data.id, await login({ email, password })) }
}

const workspacePath = `/api/v2/workspaces/${tenant.workspace}`
const invite = (email: string, role = 'member', by = tenant.owner) =>
  by.post(`${workspacePath}/members`, { email, role })
const invitations = async (person: Caller) => (await person.get('/api/v2/me')).body.invitations

test('the holder of the address finds the invitation, accepts it and gets the role', async () => {
  const person = await newPerson()
  const sent = await invite(` ${person.email.toUpperCase()} `)
  assert.equal(sent.status, 202)
  const [found] = await invitations(person)
  assert.deepEqual(
    [found.id, found.role, found.workspace_id, found.workspace_name],
    [sent.body.id, 'member', tenant.workspace, 'Tenant'],
  )

  const accepted = await person.post(`/api/v2/invitations/${found.id}/accept`)
  assert.deepEqual([accepted.status, accepted.body.state], [200, 'accepted'])
  const me = (await person.get('/api/v2/me')).body
  assert.deepEqual(
    [me.workspaces[0].id, me.workspaces[0].role, me.invitations],
    [tenant.workspace, 'member', []],
  )
  assert.equal((await person.get(`/api/v2/projects/${tenant.project}`)).status, 200)
  const member = (await tenant.owner.get(`${workspacePath}/members`)).body.data.find(
    (row: { user_id: string }) => row.user_id === person.userId,
  )
  assert.deepEqual([member.name, member.email], ['Ada', person.email])
})

test('the response does not reveal whether the address has an account', async () => {
  const person = await newPerson()
  const [known, unknown] = [await invite(person.email), await invite(`${randomUUID()}@example.com`)]
  const shape = ({ status, body }: typeof known) => [status, Object.keys(body)]
  assert.deepEqual(shape(known), shape(unknown))
})

test('a declined invitation can no longer be accepted', async () => {
  const person = await newPerson()
  const { id } = (await invite(person.email)).body
  assert.equal((await person.post(`/api/v2/invitations/${id}/decline`, {})).body.state, 'declined')
  assert.equal((await person.post(`/api/v2/invitations/${id}/accept`)).status, 404)
  assert.equal((await person.get(`/api/v2/projects/${tenant.project}`)).status, 404)
})

test('invitations of others, and answered, expired and unknown ones, are all not found', async () => {
  const [person, other] = [await newPerson(), await newPerson()]
  const { id } = (await invite(person.email)).body
  const expired = (await invite(other.email)).body.id
  await sql`update invitations set expires_at = now() - interval '1 second' where id = ${expired}`.execute(
    backend.database.db,
  )
  const bodies = await Promise.all(
    [id, expired, randomUUID(), 'nonsense'].map(async (which) => {
      const { status, body } = await other.post(`/api/v2/invitations/${which}/accept`)
      return [status, { ...body, request_id: '' }]
    }),
  )
  for (const body of bodies) assert.deepEqual(body, bodies[0])
  assert.equal(bodies[0]?.[0], 404)
  assert.deepEqual(await invitations(other), [])
})

test('a second invitation renews the first with its role', async () => {
  const person = await newPerson()
  const [first, second] = [await invite(person.email, 'observer'), await invite(person.email, 'admin')]
  assert.equal(first.body.id, second.body.id)
  const found = await invitations(person)
  assert.deepEqual([found.length, found[0].role], [1, 'admin'])
})

test('an old invitation does not change the role of a member', async () => {
  const person = await newPerson()
  const { id } = (await invite(person.email, 'observer')).body
  await tenant.owner.post(`${workspacePath}/members`, { user_id: person.userId, role: 'admin' })
  assert.equal((await person.post(`/api/v2/invitations/${id}/accept`)).status, 200)
  assert.equal((await person.get('/api/v2/me')).body.workspaces[0].role, 'admin')
})

test('the invitations of a member are deleted when the member is removed', async () => {
  const person = await newPerson()
  const admin = await newMember(backend, tenant.owner, workspacePath, 'admin')
  const { id } = (await invite(person.email, 'admin', admin)).body
  assert.equal((await tenant.owner.send('DELETE', `${workspacePath}/members/${admin.userId}`)).status, 204)
  assert.equal((await person.post(`/api/v2/invitations/${id}/accept`)).status, 404)
})

test('rejects an invitation to a role above the caller’s own', async () => {
  const admin = await newMember(backend, tenant.owner, workspacePath, 'admin')
  const reply = await invite('someone@example.com', 'owner', admin)
  assert.deepEqual([reply.status, reply.body.code], [403, 'capability_required'])
})

test('a pending invitation is listed until it is withdrawn, and can then no longer be accepted', async () => {
  const person = await newPerson()
  const { id } = (await invite(person.email, 'observer')).body
  const { owner, organisation } = tenant
  const listed = async (path: string): Promise<string[]> =>
    (await owner.get(`${path}/invitations?limit=200`)).body.data.map((row: { id: string }) => row.id)
  const organisationPath = `/api/v2/organisations/${organisation}`
  for (const path of [workspacePath, organisationPath]) assert.ok((await listed(path)).includes(id), path)

  assert.equal((await owner.send('DELETE', `${workspacePath}/invitations/${id}`)).status, 204)
  for (const path of [workspacePath, organisationPath]) assert.ok(!(await listed(path)).includes(id), path)
  assert.equal((await owner.send('DELETE', `${workspacePath}/invitations/${id}`)).status, 404)
  assert.equal((await person.post(`/api/v2/invitations/${id}/accept`)).status, 404)
  const entries = (await owner.get(`${organisationPath}/audit?target_id=${id}`)).body.data
  assert.deepEqual(
    entries.map(({ action }: { action: string }) => action),
    ['invitation.withdrawn', 'workspace.member.invited'],
  )
})

test('an admin cannot withdraw an invitation to a role above their own', async () => {
  const admin = await newMember(backend, tenant.owner, workspacePath, 'admin')
  const { id } = (await invite((await newPerson()).email, 'owner')).body
  const reply = await admin.send('DELETE', `${workspacePath}/invitations/${id}`)
  assert.deepEqual([reply.status, reply.body.code], [403, 'capability_required'])
})

test('deleting a workspace deletes its invitations', async () => {
  const person = await newPerson()
  const { owner, organisation } = tenant
  const made = await owner.post(`/api/v2/organisations/${organisation}/workspaces`, { name: 'Short' })
  const path = `/api/v2/workspaces/${made.body.id}`
  const { id } = (await owner.post(`${path}/members`, { email: person.email, role: 'member' })).body
  await owner.send('DELETE', path)
  assert.deepEqual(await invitations(person), [])
  assert.equal((await person.post(`/api/v2/invitations/${id}/accept`)).status, 404)
})
