import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Caller, newUser, type Reply, startBackend } from '../../../test/support/backend.ts'
import { json, scriptedServer } from '../../../test/support/servers/scripted-server.ts'

const LISTS = ['organisations', 'workspaces', 'invitations'] as const

const backend = await startBackend()
after(() => backend.stop())

/** A user with so many organisations, workspaces and invitations, written straight into the tables. */
async function busyUser(count: number): Promise<Caller> {
  const user = await backend.as(newUser())
  const email = `${user.userId}@example.com`
  const { pool } = backend.database
  await pool.query('update identity.users set email = $2 where id = $1', [user.userId, email])
  await pool.query(
    `with o as (insert into organisations (id, name) select gen_random_uuid(), 'O' || n from generate_series(1, $2) n returning id),
       w as (insert into workspaces (id, organisation_id, name) select gen_random_uuid(), id, 'W' from o returning id),
       i as (insert into invitations (id, organisation_id, email, role, invited_by, expires_at)
         select gen_random_uuid(), id, $3, 'member', 'x', now() + interval '1 day' from o),
       om as (insert into organisation_members (organisation_id, user_id, role) select id, $1, 'owner' from o)
     insert into workspace_members (workspace_id, user_id, role) select id, $1, 'observer' from w`,
    [user.userId, count, email],
  )
  return user
}

const idsOf = (list: { id: string }[]): string[] => list.map(({ id }) => id)

test('/me shows the first page of each list, and each list has a route for the next pages', async () => {
  const user = await busyUser(130)
  const me = (await user.get('/api/v2/me')).body
  for (const list of LISTS) {
    assert.equal(me[list].length, 50, list)
    const seen = idsOf(me[list])
    let cursor: string | null = me[`${list}_next_cursor`]
    assert.equal(typeof cursor, 'string')
    while (cursor !== null) {
      const page: Reply = await user.get(`/api/v2/me/${list}?limit=60&cursor=${cursor}`)
      assert.equal(page.status, 200, page.text)
      seen.push(...idsOf(page.body.data))
      cursor = page.body.next_cursor
    }
    assert.equal(new Set(seen).size, 130, list)
    assert.deepEqual(seen, seen.toSorted(), list)
    const first = (await user.get(`/api/v2/me/${list}`)).body
    assert.deepEqual(first, { data: me[list], next_cursor: me[`${list}_next_cursor`] }, 'the same records')
  }
})

test('me takes a limit for its lists, and a list that ends has no cursor', async () => {
  const user = await busyUser(3)
  const two = (await user.get('/api/v2/me?limit=2')).body
  const all = (await user.get('/api/v2/me?limit=3')).body
  for (const list of LISTS) {
    assert.equal(two[list].length, 2)
    assert.ok(two[`${list}_next_cursor`])
    assert.deepEqual([all[list].length, all[`${list}_next_cursor`]], [3, null])
  }
  for (const query of ['limit=0', 'limit=201', 'cursor=x']) {
    const wrong = await user.get(`/api/v2/me?${query}`)
    assert.deepEqual([wrong.status, wrong.body.errors[0].path], [422, query.split('=')[0]])
  }
})

test('invitations get 503 while the identity store is unavailable; /me works without them', async (t) => {
  const store = await scriptedServer(json({}, 503))
  const away = await startBackend({ identityUrl: store.url })
  t.after(() => away.stop())
  t.after(() => store.stop())
  const user = await away.as(newUser())
  const me = await user.get('/api/v2/me')
  assert.deepEqual([me.status, me.body.invitations, me.body.invitations_next_cursor], [200, [], null])
  const listed = await user.get('/api/v2/me/invitations')
  assert.deepEqual([listed.status, listed.body.code], [503, 'identity_unavailable'])
})
