import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Caller, startBackend } from '../../test/support/backend.ts'
import { newMember, newTenant } from '../../test/support/tenants.ts'

const backend = await startBackend()
const tenant = await newTenant(backend)
after(() => backend.stop())

async function walk(
  caller: Caller,
  path: string,
  limit: number,
  between?: () => Promise<unknown>,
): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const query: string = `?limit=${limit}${cursor ? `&cursor=${cursor}` : ''}`
    const { body } = await caller.get(path + query)
    assert.ok(body.data.length <= limit)
    seen.push(...body.data.map((record: { id?: string; user_id?: string }) => record.id ?? record.user_id))
    cursor = body.next_cursor
    await between?.()
  } while (cursor)
  return seen
}

test('pages of any size show every record once, newest first, also while others are added', async () => {
  const path = `/api/v2/workspaces/${tenant.workspace}/projects`
  const add = async () => (await tenant.owner.post(path, { name: 'x' })).body.id as string
  const ids = [tenant.project]
  for (let i = 0; i < 10; i++) ids.push(await add())
  const newestFirst = ids.toReversed()
  assert.deepEqual(await walk(tenant.owner, path, 3), newestFirst)
  assert.deepEqual(await walk(tenant.owner, path, 11), newestFirst)
  assert.deepEqual(await walk(tenant.owner, path, 4, add), newestFirst)
})

test('members page by user id', async () => {
  const path = `/api/v2/organisations/${tenant.organisation}/members`
  const circle = `/api/v2/organisations/${tenant.organisation}`
  for (let i = 0; i < 5; i++) await newMember(backend, tenant.owner, circle, 'observer')
  const seen = await walk(tenant.owner, path, 2)
  assert.equal(new Set(seen).size, 6)
  assert.deepEqual(seen, seen.toSorted())
})

test('refuses an invalid limit or cursor and names it', async () => {
  const rows: [string, string][] = [
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1e2', 'limit'],
    ['cursor=nonsense', 'cursor'],
    [`cursor=${Buffer.from('not-a-uuid').toString('base64url')}`, 'cursor'],
    ['cursr=x', 'cursr'],
  ]
  for (const [query, path] of rows) {
    const reply = await tenant.owner.get(`/api/v2/organisations?${query}`)
    assert.deepEqual([reply.status, reply.body.errors?.[0].path], [422, path], query)
  }
})
