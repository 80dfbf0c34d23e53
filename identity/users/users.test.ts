import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { testDatabase } from '../../test/support/database.ts'
import { codeOf } from '../testing/client.ts'
import { ADMIN, SERVICE_TOKEN, type Store, startStoreInProcess } from '../testing/store-in-process.ts'

describe('users', () => {
  let store: Store
  let bearer: string
  let admin: { id: string; role: string }

  before(async () => {
    store = await startStoreInProcess(await testDatabase())
    bearer = await store.adminToken()
    admin = (await store.call('GET', '/users/me', { bearer })).body.data
  })
  after(() => store.stop())

  const create = (body: unknown) => store.call('POST', '/users', { bearer, body })
  const patch = (id: string, body: unknown) => store.call('PATCH', `/users/${id}`, { bearer, body })
  async function person() {
    const token = `token-${randomUUID()}`
    const made = await create({ email: `${randomUUID()}@example.com`, password: 'their password', token })
    return { id: made.body.data.id as string, email: made.body.data.email as string, bearer: token }
  }

  describe('who change themselves', () => {
    it('may set their names and password, and the password ends their sessions', async () => {
      const { bearer: own, email } = await person()
      const { refresh_token } = (await store.login(email, 'their password')).body.data
      const body = { first_name: 'Ada', last_name: null, password: 'a new password' }
      const changed = await store.call('PATCH', '/users/me?fields=first_name,last_name', {
        bearer: own,
        body,
      })
      assert.deepEqual([changed.status, changed.body.data], [200, { first_name: 'Ada', last_name: null }])
      assert.equal((await store.call('POST', '/auth/refresh', { body: { refresh_token } })).status, 401)
      assert.equal((await store.login(email, 'a new password')).status, 200)
    })

    it('may not choose their address, role, token or status', async () => {
      const { bearer: own } = await person()
      const fields = {
        email: 'boss@example.com',
        role: admin.role,
        token: 'x'.repeat(20),
        status: 'active',
        id: randomUUID(),
      }
      for (const [field, value] of Object.entries(fields)) {
        const answer = await store.call('PATCH', '/users/me', { bearer: own, body: { [field]: value } })
        assert.deepEqual([answer.status, codeOf(answer)], [403, 'FORBIDDEN'], field)
      }
    })

    it('change nothing by an empty body, and nothing unknown', async () => {
      const { bearer: own } = await person()
      assert.equal((await store.call('PATCH', '/users/me', { bearer: own, body: {} })).status, 200)
      for (const body of [{ admin_access: true }, { password: 'short' }, [], { tfa_secret: null }]) {
        assert.equal(codeOf(await store.call('PATCH', '/users/me', { bearer: own, body })), 'INVALID_PAYLOAD')
      }
    })
  })

  describe('made or changed by administrators', () => {
    it('are refused when malformed', async () => {
      const bad = [
        { email: 'no address' },
        { password: 'short' },
        { password: '**********' },
        { token: 'short' },
        { token: 'looks.like.a-jwt-token' },
        { token: 'has a space in the middle' },
        { status: 'archived' },
        { role: 'admin' },
        { id: 'no-uuid' },
        { first_name: 'a\u0000b' },
        { policies: [] },
      ]
      for (const body of bad)
        assert.equal(codeOf(await create(body)), 'INVALID_PAYLOAD', JSON.stringify(body))
      assert.equal(codeOf(await create({ role: randomUUID() })), 'INVALID_FOREIGN_KEY')
    })

    it('have a token, an address and an id of their own', async () => {
      const { id, email, bearer: token } = await person()
      for (const body of [{ token }, { email: email.toUpperCase() }, { id }]) {
        assert.equal(codeOf(await create(body)), 'RECORD_NOT_UNIQUE')
      }
      const other = await person()
      assert.equal(codeOf(await patch(other.id, { token })), 'RECORD_NOT_UNIQUE')
      assert.equal((await patch(other.id, { email: other.email.toUpperCase() })).status, 200)
    })

    it('may lack an address and a password, and then can’t log in', async () => {
      const made = await create({ first_name: 'Integration', token: `token-${randomUUID()}` })
      assert.deepEqual([made.body.data.email, made.body.data.password], [null, null])
      await patch(made.body.data.id, { email: 'integration@example.com' })
      assert.equal((await store.login('integration@example.com', '**********')).status, 401)
    })

    it('can be let in again when they lost their authenticator', async () => {
      const { id, email } = await person()
      await store.db.updateTable('users').set({ tfa_secret: 'sealed' }).where('id', '=', id).execute()
      assert.equal(codeOf(await store.login(email, 'their password')), 'INVALID_OTP')
      assert.equal((await store.call('POST', `/users/${id}/tfa/disable`, { bearer })).status, 204)
      assert.equal((await store.login(email, 'their password')).status, 200)
    })
  })

  describe('in a list', () => {
    const list = (query: string) => store.call('GET', `/users?${query}`, { bearer })

    it('are paged in a fixed order', async () => {
      await Promise.all([person(), person()])
      const all = (await list('fields=id&limit=-1')).body.data
      assert.deepEqual((await list('fields=id&limit=1&offset=1')).body.data, [all[1]])
      assert.deepEqual((await list('limit=0')).body.data, [])
    })

    it('show the fields that were asked for and exist', async () => {
      const one = `filter[id][_eq]=${admin.id}`
      assert.deepEqual((await list(`${one}&fields=id,nothing,role.name`)).body.data, [{ id: admin.id }])
      assert.deepEqual((await list(`${one}&fields[]=id&fields[]=email`)).body.data, [
        { id: admin.id, email: ADMIN.email },
      ])
      assert.equal(Object.keys((await list(`${one}&fields=*`)).body.data[0]).length, 9)
    })

    it('are found by their address in any case, and by nothing that is no id', async () => {
      assert.equal((await list('filter[email][_eq]=ADMIN@example.com')).body.data.length, 1)
      assert.deepEqual((await list('filter[id][_in]=x,%00,')).body.data, [])
    })

    it('are never shown for a question that was not understood', async () => {
      const questions = [
        'filter[status][_eq]=active',
        'filter[id][_neq]=x',
        'filter={}',
        'search=x',
        'limit=x',
        'limit=-2',
      ]
      const twice = 'filter[email][_eq]=a&filter[email][_eq]=b'
      for (const question of [...questions, twice, 'offset=-1']) {
        const answer = await list(question)
        assert.deepEqual([answer.status, codeOf(answer)], [400, 'INVALID_QUERY'], question)
      }
    })
  })

  describe('read by the backend', () => {
    const asBackend = (method: string, path: string, body?: unknown) =>
      store.call(method, path, { bearer: SERVICE_TOKEN, ...(body === undefined ? {} : { body }) })

    it('show who they are and nothing secret', async () => {
      const user = (await asBackend('GET', `/users/${admin.id}?fields=*`)).body.data
      assert.deepEqual(Object.keys(user).sort(), ['email', 'first_name', 'id', 'last_name', 'role', 'status'])
      const some = await asBackend('GET', `/users?fields=id,token,password&filter[id][_in]=${admin.id}`)
      assert.deepEqual(some.body.data, [{ id: admin.id }])
    })

    it('are all that it may see, and it may change nothing', async () => {
      const globals = (await asBackend('GET', '/policies/me/globals')).body.data
      assert.deepEqual(globals, { app_access: false, admin_access: false, enforce_tfa: false })
      const refused: [string, string, unknown?][] = [
        ['GET', '/roles'],
        ['POST', '/users', { email: 'new@example.com' }],
        ['PATCH', `/users/${admin.id}`, { first_name: 'x' }],
        ['DELETE', `/users/${admin.id}`],
        ['PATCH', '/users/me', { password: 'a new password' }],
        ['POST', '/users/me/tfa/generate', { password: 'x' }],
        ['POST', '/users/me/tfa/enable', { secret: 'ABCDEFGHIJKLMNOP', otp: '000000' }],
        ['POST', `/users/${admin.id}/tfa/disable`],
      ]
      for (const [method, path, body] of refused) {
        assert.equal(codeOf(await asBackend(method, path, body)), 'FORBIDDEN', `${method} ${path}`)
      }
    })
  })
})
