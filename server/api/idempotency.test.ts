import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { newUser, startBackend } from '../../test/support/backend.ts'

const backend = await startBackend()
// Staff, who can create any number of organisations.
const caller = await backend.as(newUser(), { admin_access: true })
after(() => backend.stop())

const create = (key: string, name: string, by = caller) =>
  by.post('/api/v2/organisations', { name }, { 'idempotency-key': key })
const count = async (by = caller) => (await by.get('/api/v2/organisations?limit=200')).body.data.length

test('twenty concurrent repeats make one change and all get its response', async () => {
  const before = await count()
  const replies = await Promise.all(Array.from({ length: 20 }, () => create('at-once', 'One')))
  const first = replies[0]
  for (const reply of replies) {
    assert.deepEqual([reply.status, reply.text], [201, first?.text])
    assert.equal(reply.headers.get('location'), first?.headers.get('location'))
    assert.equal(reply.headers.get('etag'), first?.headers.get('etag'))
  }
  assert.equal(await count(), before + 1)
})

test('rejects the same key with a different body', async () => {
  await create('other-body', 'One')
  const reply = await create('other-body', 'Two')
  assert.deepEqual([reply.status, reply.body.code], [422, 'idempotency_key_reused'])
})

test('keys are scoped to the user', async () => {
  const other = await backend.as(newUser())
  const mine = await create('shared', 'Mine')
  const theirs = await create('shared', 'Theirs', other)
  assert.deepEqual([mine.status, theirs.status], [201, 201])
  assert.notEqual(mine.body.id, theirs.body.id)
})

test('does not store an error response: the corrected request succeeds with the same key', async () => {
  assert.equal((await create('mended', '')).status, 422)
  assert.equal((await create('mended', 'Good')).status, 201)
})

test('rejects a key that is not visible ASCII', async () => {
  assert.equal((await create('a b', 'x')).status, 422)
  assert.equal((await create('k'.repeat(256), 'x')).status, 422)
})

test('a stored response is not readable in the database', async () => {
  await create('sealed', 'Canary organisation')
  const { rows } = await sql<{
    response: string
  }>`select response from idempotency_keys where key = 'sealed'`.execute(backend.database.db)
  assert.doesNotMatch(rows[0]?.response ?? '', /Canary/)
})

test('a key can be used again after 24 hours, and a periodic task deletes it', async () => {
  const first = await create('old', 'One')
  await sql`update idempotency_keys set created_at = now() - interval '25 hours' where key = 'old'`.execute(
    backend.database.db,
  )
  const second = await create('old', 'One')
  assert.notEqual(second.body.id, first.body.id)
  await sql`update idempotency_keys set created_at = now() - interval '25 hours' where key = 'old'`.execute(
    backend.database.db,
  )
  await backend.runTask('idempotency-keys')
  const { rows } = await sql`select 1 from idempotency_keys where key = 'old'`.execute(backend.database.db)
  assert.equal(rows.length, 0)
})
