import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { testDatabase } from '../../test/support/database.ts'
import { codeOf } from '../testing/client.ts'
import { type Store, startStoreInProcess } from '../testing/store-in-process.ts'
import { waitUntilBlocked } from '../testing/wait-until-blocked.ts'

describe('the last active administrator', () => {
  let store: Store
  let bearer: string
  let admin: { id: string; role: string }

  beforeEach(async () => {
    store = await startStoreInProcess(await testDatabase())
    bearer = await store.adminToken()
    admin = (await store.call('GET', '/users/me', { bearer })).body.data
  })
  afterEach(() => store.stop())

  const changes = [{ role: null }, { status: 'suspended' }]
  const patch = (id: string, body: unknown) => store.call('PATCH', `/users/${id}`, { bearer, body })

  it('cannot be deleted, demoted or suspended, by either route', async () => {
    // A suspended one does not count.
    await store.call('POST', '/users', { bearer, body: { role: admin.role, status: 'suspended' } })
    const responses = [
      await store.call('DELETE', `/users/${admin.id}`, { bearer }),
      ...(await Promise.all(changes.map((body) => patch(admin.id, body)))),
      ...(await Promise.all(changes.map((body) => store.call('PATCH', '/users/me', { bearer, body })))),
    ]
    for (const response of responses) {
      assert.deepEqual([response.status, codeOf(response)], [400, 'INVALID_PAYLOAD'])
      assert.match(response.body.errors[0].extensions.reason, /last active administrator/)
    }
    assert.equal((await store.call('GET', '/users/me', { bearer })).body.data.status, 'active')
  })

  it('can be deleted if there is another', async () => {
    await store.call('POST', '/users', { bearer, body: { role: admin.role } })
    assert.equal((await store.call('DELETE', `/users/${admin.id}`, { bearer })).status, 204)
  })

  it('remains when two are demoted at the same time', async () => {
    const other = await store.call('POST', '/users', { bearer, body: { role: admin.role } })
    // The test is the other demotion, which has not yet committed.
    const client = new pg.Client({ connectionString: store.databaseUrl })
    await client.connect()
    await client.query('begin')
    await client.query('update identity.users set role = null where id = $1', [other.body.data.id])
    const demotion = patch(admin.id, { role: null })
    await Promise.race([demotion, waitUntilBlocked(client)])
    await client.query('commit')
    await client.end()
    assert.equal(codeOf(await demotion), 'INVALID_PAYLOAD')
  })
})
