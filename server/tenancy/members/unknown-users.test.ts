import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Caller, newUser, startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { type Behaviour, json, reset, scriptedServer } from '../../../test/support/servers/scripted-server.ts'
import { newTenant, type Tenant } from '../../../test/support/tenants.ts'

const KINDS = ['organisation', 'workspace'] as const
type Kind = (typeof KINDS)[number]

const backend = await startBackend()
after(() => backend.stop())

const membersOf = (tenant: Tenant, kind: Kind): string => `/api/v2/${kind}s/${tenant[kind]}/members`

/** Written straight into the table, as older versions of the service allowed. */
const seedMember = (backend: TestBackend, tenant: Tenant, kind: Kind, userId: string, role: string) =>
  backend.database.pool.query(`insert into ${kind}_members (${kind}_id, user_id, role) values ($1, $2, $3)`, [
    tenant[kind],
    userId,
    role,
  ])

const rolesIn = async (backend: TestBackend, tenant: Tenant, kind: Kind): Promise<Record<string, string>> => {
  const { rows } = await backend.database.pool.query<{ user_id: string; role: string }>(
    `select user_id, role from ${kind}_members where ${kind}_id = $1`,
    [tenant[kind]],
  )
  return Object.fromEntries(rows.map((row) => [row.user_id, row.role]))
}

for (const kind of KINDS) {
  test(`refuses to add a user to the ${kind} whom the identity store does not know`, async () => {
    const tenant = await newTenant(backend)
    for (const user_id of [newUser(), 'typo', 'a,b', "'", `${newUser()},${tenant.owner.userId}`]) {
      const reply = await tenant.owner.post(membersOf(tenant, kind), { user_id, role: 'owner' })
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.path], [422, 'user_id'], user_id)
    }
    assert.deepEqual(await rolesIn(backend, tenant, kind), { [tenant.owner.userId]: 'owner' })
  })

  test(`the last known owner of the ${kind} cannot leave, although an unknown user is an owner too`, async () => {
    const tenant = await newTenant(backend)
    const path = membersOf(tenant, kind)
    const { owner } = tenant
    await seedMember(backend, tenant, kind, newUser(), 'owner')
    await seedMember(backend, tenant, kind, 'typo', 'owner')
    await assertLastOwner(owner, path)
    const other = await backend.as(newUser())
    assert.equal((await owner.post(path, { user_id: other.userId, role: 'owner' })).status, 201)
    assert.equal((await owner.send('DELETE', `${path}/${owner.userId}`)).status, 204)
  })

  test(`an owner of the ${kind} whose account is suspended or deleted does not count as an owner`, async () => {
    const tenant = await newTenant(backend)
    const path = membersOf(tenant, kind)
    const { owner } = tenant
    const other = await backend.as(newUser())
    assert.equal((await owner.post(path, { user_id: other.userId, role: 'owner' })).status, 201)
    const { pool } = backend.database
    await pool.query(`update identity.users set status = 'suspended' where id = $1`, [other.userId])
    await assertLastOwner(owner, path)
    await pool.query('delete from identity.users where id = $1', [other.userId])
    await assertLastOwner(owner, path)
    assert.equal((await owner.send('DELETE', `${path}/${other.userId}`)).status, 204, 'but can be removed')
  })

  test(`while the identity store is unavailable, the ${kind} gains no member and loses no owner; other members can leave`, async (t) => {
    let behaviour: Behaviour = reset
    const store = await scriptedServer((response, request) => behaviour(response, request))
    const away = await startBackend({ identityUrl: store.url })
    t.after(() => away.stop())
    t.after(() => store.stop())
    const tenant = await newTenant(away)
    const path = membersOf(tenant, kind)
    const { owner } = tenant
    const [second, observer] = [newUser(), newUser()]
    await seedMember(away, tenant, kind, second, 'owner')
    await seedMember(away, tenant, kind, observer, 'observer')
    const before = await rolesIn(away, tenant, kind)
    const troubles = [
      reset,
      json({}, 503),
      json({}, 429),
      json({ errors: [] }, 401),
      json({ errors: [] }, 403),
    ]
    for (const trouble of troubles) {
      behaviour = trouble
      const replies = [
        await owner.post(path, { user_id: newUser(), role: 'member' }),
        await owner.send('DELETE', `${path}/${owner.userId}`),
        await owner.send('PATCH', `${path}/${owner.userId}`, { role: 'member' }),
        await owner.send('PATCH', `${path}/${second}`, { role: 'member' }),
      ]
      for (const reply of replies) {
        assert.deepEqual([reply.status, reply.body.code], [503, 'identity_unavailable'])
        assert.ok(reply.headers.get('retry-after'))
      }
      assert.deepEqual(await rolesIn(away, tenant, kind), before)
    }
    const promoted = await owner.send('PATCH', `${path}/${observer}`, { role: 'admin' })
    assert.equal(promoted.status, 200, 'no owner is lost, so the store is not needed')
    assert.equal((await owner.send('DELETE', `${path}/${observer}`)).status, 204)
    behaviour = json({ data: [{ id: second, status: 'active' }] })
    assert.equal((await owner.send('DELETE', `${path}/${owner.userId}`)).status, 204)
  })
}

test('a store that fails at ids of another shape than its own is not asked about them', async (t) => {
  const owner = newUser()
  // Directus on PostgreSQL returns 500 for a filter by an id that is not a UUID.
  const store = await scriptedServer((response, request) => {
    const ids = new URL(request.url ?? '', 'http://store').searchParams.get('filter[id][_in]') ?? ''
    const isStrange = ids.split(',').some((id) => !/^[\da-f-]{36}$/.test(id))
    json(isStrange ? {} : { data: [{ id: owner, first_name: 'Ada' }] }, isStrange ? 500 : 200)(
      response,
      request,
    )
  })
  const on = await startBackend({ identityUrl: store.url })
  t.after(() => on.stop())
  t.after(() => store.stop())
  const caller = await on.as(owner)
  const id = (await caller.post('/api/v2/organisations', { name: 'O' })).body.id
  const path = `/api/v2/organisations/${id}/members`
  assert.equal((await caller.post(path, { user_id: 'typo', role: 'owner' })).status, 422)
  const tenant = { organisation: id } as Tenant
  await seedMember(on, tenant, 'organisation', 'typo', 'owner')
  const { data } = (await caller.get(path)).body
  assert.deepEqual(
    data.map(({ user_id, name }: { user_id: string; name: string | null }) => [user_id, name]).toSorted(),
    [
      [owner, 'Ada'],
      ['typo', null],
    ].toSorted(),
  )
  assert.equal((await caller.send('DELETE', `${path}/${owner}`)).body.code, 'last_owner')
  assert.equal((await caller.send('DELETE', `${path}/typo`)).status, 204)
})

async function assertLastOwner(owner: Caller, path: string): Promise<void> {
  for (const reply of [
    await owner.send('DELETE', `${path}/${owner.userId}`),
    await owner.send('PATCH', `${path}/${owner.userId}`, { role: 'member' }),
  ])
    assert.deepEqual([reply.status, reply.body?.code], [409, 'last_owner'])
}
