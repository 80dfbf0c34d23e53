import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startBackend } from '../../test/support/backend.ts'
import { newTenant } from '../../test/support/tenants.ts'

const backend = await startBackend()
const tenant = await newTenant(backend)
const records: [string, string, (n: number) => unknown][] = [
  ['organisation', `/api/v2/organisations/${tenant.organisation}`, (n) => ({ name: `New ${n}` })],
  ['workspace', `/api/v2/workspaces/${tenant.workspace}`, (n) => ({ name: `New ${n}` })],
  ['project', `/api/v2/projects/${tenant.project}`, (n) => ({ name: `New ${n}` })],
]
after(() => backend.stop())

test('a change under the ETag that was read goes through, and under an older one is 412', async () => {
  for (const [, path, change] of records) {
    const etag = (await tenant.owner.get(path)).headers.get('etag') as string
    const first = await tenant.owner.send('PATCH', path, change(1), { 'if-match': etag })
    assert.equal(first.status, 200)
    const late = await tenant.owner.send('PATCH', path, change(2), { 'if-match': etag })
    assert.deepEqual([late.status, late.body.code], [412, 'precondition_failed'])
    const next = await tenant.owner.send('PATCH', path, change(3), {
      'if-match': `"other", ${first.headers.get('etag')}`,
    })
    assert.equal(next.status, 200)
    assert.equal((await tenant.owner.get(path)).headers.get('etag'), next.headers.get('etag'))
  }
})

test('of ten concurrent changes with one ETag exactly one succeeds', async () => {
  for (const [, path, change] of records) {
    const etag = (await tenant.owner.get(path)).headers.get('etag') as string
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        tenant.owner.send('PATCH', path, change(100 + n), { 'if-match': etag }),
      ),
    )
    assert.deepEqual(replies.map((reply) => reply.status).toSorted(), [200, ...Array(9).fill(412)])
  }
})

test('an empty change alters nothing, keeps the ETag and leaves no audit row', async () => {
  const rows = async () =>
    (await tenant.owner.get(`/api/v2/organisations/${tenant.organisation}/audit?limit=200`)).body.data.length
  const before = await rows()
  for (const [, path] of records) {
    const read = await tenant.owner.get(path)
    const patched = await tenant.owner.send('PATCH', path, {})
    assert.deepEqual([patched.status, patched.text], [200, read.text])
    assert.equal(patched.headers.get('etag'), read.headers.get('etag'))
  }
  assert.equal(await rows(), before)
})

test('any record is matched by *', async () => {
  for (const [, path, change] of records) {
    assert.equal((await tenant.owner.send('PATCH', path, change(7), { 'if-match': '*' })).status, 200)
  }
})
