import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newUser, type Reply, startBackend } from '../../test/support/backend.ts'
import { newMember, newTenant } from '../../test/support/tenants.ts'

const backend = await startBackend()
after(() => backend.stop())

test('members are filtered by role, page by page', async () => {
  const { owner, workspace } = await newTenant(backend)
  const path = `/api/v2/workspaces/${workspace}`
  const admins = [owner.userId]
  for (let n = 0; n < 3; n++) {
    admins.push((await newMember(backend, owner, path, 'admin')).userId)
    await newMember(backend, owner, path, 'observer')
  }
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: Reply = await owner.get(`${path}/members?role=admin&limit=2${cursor && `&cursor=${cursor}`}`)
    assert.equal(page.status, 200, page.text)
    seen.push(...page.body.data.map((row: { user_id: string }) => row.user_id))
    cursor = page.body.next_cursor
  }
  assert.deepEqual(seen, admins.slice(1).toSorted())
  const wrong = await owner.get(`${path}/members?role=king`)
  assert.deepEqual([wrong.status, wrong.body.errors[0].path], [422, 'role'])
})

test('the audit log is filtered by action, actor, target, workspace and time, for the organisation and for staff', async () => {
  const { owner, organisation, workspace, project } = await newTenant(backend)
  const admin = await newMember(backend, owner, `/api/v2/workspaces/${workspace}`, 'admin')
  await admin.send('PATCH', `/api/v2/projects/${project}`, { name: 'Renamed' })
  await owner.send('PATCH', `/api/v2/organisations/${organisation}`, { name: 'Renamed' })
  const staff = await backend.as(newUser(), { admin_access: true })
  const all = (await owner.get(`/api/v2/organisations/${organisation}/audit`)).body.data
  type Entry = { id: string; at: string; action: string; actor_id: string; target_id: string }
  const middle = all[2] as Entry

  const check = async (filter: string, keep: (entry: Entry & { workspace_id: string }) => boolean) => {
    const wanted = all.filter(keep).map(({ id }: Entry) => id)
    assert.ok(wanted.length > 0 && wanted.length < all.length, filter)
    const own = await owner.get(`/api/v2/organisations/${organisation}/audit?${filter}`)
    assert.deepEqual(
      own.body.data?.map(({ id }: Entry) => id),
      wanted,
      filter,
    )
    const everywhere = await staff.get(`/api/v2/admin/audit?${filter}&limit=200`)
    const ids = new Set(everywhere.body.data?.map(({ id }: Entry) => id))
    for (const { id } of all as Entry[]) assert.equal(ids.has(id), wanted.includes(id), filter)
  }
  await check('action=project.updated', ({ action }) => action === 'project.updated')
  await check(`actor_id=${admin.userId}`, ({ actor_id }) => actor_id === admin.userId)
  await check(`target_id=${project}`, ({ target_id }) => target_id === project)
  await check(
    `target_kind=user&target_id=${admin.userId}&actor_id=${owner.userId}`,
    ({ target_id }) => target_id === admin.userId,
  )
  await check(`workspace_id=${workspace}`, ({ workspace_id }) => workspace_id === workspace)
  await check(`since=${middle.at}`, ({ at }) => at >= middle.at)
  await check(`until=${middle.at}`, ({ at }) => at < middle.at)

  const none = await owner.get(`/api/v2/organisations/${organisation}/audit?actor_id=${newUser()}`)
  assert.deepEqual(none.body, { data: [], next_cursor: null })
  for (const [query, field] of [
    ['since=yesterday', 'since'],
    ['workspace_id=x', 'workspace_id'],
    ['actor_id=%00', 'actor_id'],
    ['person=x', 'person'],
  ]) {
    const wrong = await owner.get(`/api/v2/organisations/${organisation}/audit?${query}`)
    assert.deepEqual([wrong.status, wrong.body.errors[0].path], [422, field], query)
  }
})

test('a filter of the audit log shows nothing of another organisation', async () => {
  const [own, other] = [await newTenant(backend), await newTenant(backend)]
  for (const filter of [`workspace_id=${other.workspace}`, `actor_id=${other.owner.userId}`]) {
    const { body } = await own.owner.get(`/api/v2/organisations/${own.organisation}/audit?${filter}`)
    assert.deepEqual(body.data, [], filter)
  }
})
