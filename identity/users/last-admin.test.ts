import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { codeOf } from '../test-support/client.ts'
import { type Store, startStoreInProcess } from '../test-support/store-in-process.ts'

describe('the last active administrator', () => {
  let store: Store
  let bearer: string
  let admin: { id: string; role: string }

  beforeEach(async () => {
    store = await startStoreInProcess()
    bearer = await store.adminToken()
    admin = (await store.call('GET', '/users/me', { bearer })).body.data
  })
  afterEach(() => store.stop())

  const changes = [{ role: null }, { status: 'suspended' }]
  const patch = (id: string, body: unknown) => store.call('PATCH', `/users/${id}`, { bearer, body })

  it('can be neither deleted, demoted nor suspended, under either path', async () => {
    // A suspended one does not count.
    await store.call('POST', '/users', { bearer, body: { role: admin.role, status: 'suspended' } })
    const answers = [
      await store.call('DELETE', `/users/${admin.id}`, { bearer }),
      ...(await Promise.all(changes.map((body) => patch(admin.id, body)))),
      ...(await Promise.all(changes.map((body) => store.call('PATCH', '/users/me', { bearer, body })))),
    ]
    for (const answer of answers) {
      assert.deepEqual([answer.status, codeOf(answer)], [400, 'INVALID_PAYLOAD'])
      assert.match(answer.body.errors[0].extensions.reason, /last active administrator/)
    }
    assert.equal((await store.call('GET', '/users/me', { bearer })).body.data.status, 'active')
  })

  it('may go when another is there', async () => {
    await store.call('POST', '/users', { bearer, body: { role: admin.role } })
    assert.equal((await store.call('DELETE', `/users/${admin.id}`, { bearer })).status, 204)
  })

  it('remains when all administrators are demoted at the same moment', async () => {
    const tokens = ['token-of-admin-number-1', 'token-of-admin-number-2', 'token-of-admin-number-3']
    const made = await Promise.all(
      tokens.map((token) => store.call('POST', '/users', { bearer, body: { role: admin.role, token } })),
    )
    const all = [admin.id, ...made.map((answer) => answer.body.data.id)]
    const senders = [bearer, ...tokens]
    const answers = await Promise.all(
      all.map((id, index) =>
        store.call('PATCH', `/users/${id}`, { bearer: senders[index] ?? '', body: { role: null } }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 400])
  })
})
