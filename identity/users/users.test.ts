import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { codeOf } from '../testing/client.ts'
import { ADMIN, PASSWORD, SERVICE_TOKEN, useStore } from '../testing/store-in-process.ts'

describe('users', () => {
  const store = useStore()
  let bearer: string
  let admin: { id: string; role: string }

  before(async () => {
    bearer = await store.adminToken()
    admin = (await store.call('GET', '/users/me', { bearer })).body.data
  })

  const create = (body: unknown) => store.call('POST', '/users', { bearer, body })
  const patch = (id: string, body: unknown) => store.call('PATCH', `/users/${id}`, { bearer, body })

  describe('in their own account', () => {
    it('can set their names and password; a new password ends their sessions', async () => {
      const { bearer: own, email } = await store.newUser()
      const { refresh_token } = (await store.login(email, PASSWORD)).body.data
      const body = { first_name: 'Ada', last_name: null, password: 'a new password' }
      const changed = await store.call('PATCH', '/users/me?fields=first_name,last_name', {
        bearer: own,
        body,
      })
      assert.deepEqual([changed.status, changed.body.data], [200, { first_name: 'Ada', last_name: null }])
      assert.equal((await store.call('POST', '/auth/refresh', { body: { refresh_token } })).status, 401)
      assert.equal((await store.login(email, 'a new password')).status, 200)
    })

    it('cannot set their e-mail address, role, token or status', async () => {
      const { bearer: own } = await store.newUser()
      const fields = {
        email: 'boss@example.com',
        role: admin.role,
        token: 'x'.repeat(20),
        status: 'active',
        id: randomUUID(),
      }
      for (const [field, value] of Object.entries(fields)) {
        const response = await store.call('PATCH', '/users/me', { bearer: own, body: { [field]: value } })
        assert.deepEqual([response.status, codeOf(response)], [403, 'FORBIDDEN'], field)
      }
    })

    it('change nothing with an empty body, and get an error for unknown fields', async () => {
      const { bearer: own } = await store.newUser()
      assert.equal((await store.call('PATCH', '/users/me', { bearer: own, body: {} })).status, 200)
      for (const body of [{ admin_access: true }, { password: 'short' }, [], { tfa_secret: null }]) {
        assert.equal(codeOf(await store.call('PATCH', '/users/me', { bearer: own, body })), 'INVALID_PAYLOAD')
      }
    })
  })

  describe('created or changed by administrators', () => {
    it('are rejected if invalid', async () => {
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

    it('have a unique token, e-mail address and id', async () => {
      const { id, email, bearer: token } = await store.newUser()
      for (const body of [{ token }, { email: email.toUpperCase() }, { id }]) {
        assert.equal(codeOf(await create(body)), 'RECORD_NOT_UNIQUE')
      }
      const other = await store.newUser()
      assert.equal(codeOf(await patch(other.id, { token })), 'RECORD_NOT_UNIQUE')
      assert.equal((await patch(other.id, { email: other.email.toUpperCase() })).status, 200)
    })

    it('can have no e-mail address and password, and then cannot log in', async () => {
      const made = await create({ first_name: 'Integration', token: `token-${randomUUID()}` })
      assert.deepEqual([made.body.data.email, made.body.data.password], [null, null])
      await patch(made.body.data.id, { email: 'integration@example.com' })
      assert.equal((await store.login('integration@example.com', '**********')).status, 401)
    })

    it('can log in again after an administrator removed a lost authenticator', async () => {
      const { id, email } = await store.newUser()
      await store.db.updateTable('users').set({ tfa_secret: 'sealed' }).where('id', '=', id).execute()
      assert.equal(codeOf(await store.login(email, PASSWORD)), 'INVALID_OTP')
      assert.equal((await store.call('POST', `/users/${id}/tfa/disable`, { bearer })).status, 204)
      assert.equal((await store.login(email, PASSWORD)).status, 200)
    })
  })

  describe('in a list', () => {
    const list = (query: string) => store.call('GET', `/users?${query}`, { bearer })

    it('are paginated in a fixed order', async () => {
      await Promise.all([store.newUser(), store.newUser()])
      const all = (await list('fields=id&limit=-1')).body.data
      assert.deepEqual((await list('fields=id&limit=1&offset=1')).body.data, [all[1]])
      assert.deepEqual((await list('limit=0')).body.data, [])
    })

    it('show the requested fields that exist', async () => {
      const one = `filter[id][_eq]=${admin.id}`
      assert.deepEqual((await list(`${one}&fields=id,nothing,role.name`)).body.data, [{ id: admin.id }])
      assert.deepEqual((await list(`${one}&fields[]=id&fields[]=email`)).body.data, [
        { id: admin.id, email: ADMIN.email },
      ])
      assert.equal(Object.keys((await list(`${one}&fields=*`)).body.data[0]).length, 9)
    })

    it('are found by e-mail address in any case, and not by invalid ids', async () => {
      assert.equal((await list('filter[email][_eq]=ADMIN@example.com')).body.data.length, 1)
      assert.deepEqual((await list('filter[id][_in]=x,%00,')).body.data, [])
    })

    it('are not returned for an unknown filter', async () => {
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
        const response = await list(question)
        assert.deepEqual([response.status, codeOf(response)], [400, 'INVALID_QUERY'], question)
      }
    })
  })

  describe('read by the backend', () => {
    const asBackend = (method: string, path: string, body?: unknown) =>
      store.call(method, path, { bearer: SERVICE_TOKEN, ...(body === undefined ? {} : { body }) })

    it('show no secrets', async () => {
      const user = (await asBackend('GET', `/users/${admin.id}?fields=*`)).body.data
      assert.deepEqual(Object.keys(user).sort(), ['email', 'first_name', 'id', 'last_name', 'role', 'status'])
      const some = await asBackend('GET', `/users?fields=id,token,password&filter[id][_in]=${admin.id}`)
      assert.deepEqual(some.body.data, [{ id: admin.id }])
    })

    it('are all that it can read, and it can change nothing', async () => {
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
