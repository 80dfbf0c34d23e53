import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { TOTP } from 'otpauth'
import { type CallOptions, call, codeOf, type HttpResponse } from './client.ts'
import { claimsOf, forge, headerOf, isSignedBy } from './forge.ts'

/** A running identity store: ours, or Directus with LOGIN_STALL_TIME=0 and without rate limiter. */
export interface Target {
  url: string
  adminEmail: string
  adminPassword: string
  cookieName: string
  secret: string
  /** Whether to test rules that our store has and Directus does not. */
  strict?: boolean
  /** The clock of the store, if the test sets it. Otherwise the suite waits for the next one-time code. */
  clock?: { now(): number; advance(ms: number): void }
  stop(): Promise<void>
}

const REFRESH_COOKIE = 'directus_refresh_token'
const PASSWORD = 'a password of the suite'
const STEP_MS = 30_000
const STATUS_OF = {
  INVALID_PAYLOAD: 400,
  RECORD_NOT_UNIQUE: 400,
  INVALID_CREDENTIALS: 401,
  INVALID_OTP: 401,
  TOKEN_EXPIRED: 401,
  FORBIDDEN: 403,
  INVALID_TOKEN: 403,
  ROUTE_NOT_FOUND: 404,
}

/** The behaviour that the backend relies on in any identity store, tested over HTTP only. */
export function identityStoreConformance(name: string, start: () => Promise<Target>): void {
  describe(name, () => {
    let target: Target
    let adminToken: string

    const send = (method: string, path: string, options?: CallOptions) =>
      call(target.url, method, path, options)
    const asAdmin = (method: string, path: string, body?: unknown) =>
      send(method, path, { bearer: adminToken, ...(body === undefined ? {} : { body }) })
    const login = (email: string, more: Record<string, unknown> = {}) =>
      send('POST', '/auth/login', { body: { email, password: PASSWORD, ...more } })
    const refreshJson = (token: string) =>
      send('POST', '/auth/refresh', { body: { refresh_token: token, mode: 'json' } })
    const sessionCookie = (value: string) => ({ [target.cookieName]: value })
    const me = (options: CallOptions) => send('GET', '/users/me?fields=id', options)
    const sessionOf = (response: HttpResponse) =>
      response.cookies.get(target.cookieName)?.value ?? assert.fail('no session cookie')

    async function newUser(
      more: Record<string, unknown> = {},
    ): Promise<{ id: string; email: string; token: string }> {
      const email = `${randomUUID()}@example.com`
      const token = `static-${randomUUID()}`
      const made = await asAdmin('POST', '/users', {
        email,
        password: PASSWORD,
        token,
        status: 'active',
        ...more,
      })
      assert.equal(made.status, 200)
      return { id: made.body.data.id, email, token }
    }

    /** A new user with a session cookie and a refresh token. */
    async function newSignedIn() {
      const user = await newUser()
      const session = sessionOf(await login(user.email, { mode: 'session' }))
      return { ...user, session, tokens: (await login(user.email)).body.data }
    }

    before(async () => {
      target = await start()
      const response = await send('POST', '/auth/login', {
        body: { email: target.adminEmail, password: target.adminPassword },
      })
      adminToken = response.body.data.access_token
    })
    after(() => target.stop())

    function refused(response: HttpResponse, code: keyof typeof STATUS_OF): void {
      assert.deepEqual([response.status, codeOf(response)], [STATUS_OF[code], code])
      assert.equal(typeof response.body.errors[0].message, 'string')
    }

    describe('login', () => {
      it('returns both tokens in the body by default', async () => {
        const { email } = await newUser()
        const { status, body, cookies } = await login(email)
        assert.equal(status, 200)
        assert.deepEqual(Object.keys(body.data).sort(), ['access_token', 'expires', 'refresh_token'])
        assert.equal(body.data.expires, 900_000)
        assert.equal(body.data.refresh_token.length, 64)
        assert.equal(cookies.size, 0)
      })

      it('signs access tokens with HS256 and the raw secret, with the id and rights of the user', async () => {
        const { id, email } = await newUser()
        const token = (await login(email)).body.data.access_token
        assert.deepEqual(headerOf(token), { alg: 'HS256', typ: 'JWT' })
        assert.ok(isSignedBy(token, target.secret))
        const { iat, exp, ...claims } = claimsOf(token)
        assert.equal(Number(exp) - Number(iat), 900)
        assert.deepEqual(claims, { id, role: null, app_access: false, admin_access: false, iss: 'directus' })
        assert.equal(claimsOf(adminToken)['admin_access'], true)
      })

      it('in mode cookie keeps the refresh token out of the body', async () => {
        const { email } = await newUser()
        const { body, cookies } = await login(email, { mode: 'cookie' })
        assert.deepEqual(Object.keys(body.data).sort(), ['access_token', 'expires'])
        assert.equal(cookies.get(REFRESH_COOKIE)?.value.length, 64)
        assert.match(
          cookies.get(REFRESH_COOKIE)?.attributes ?? '',
          /^Max-Age=604800; Path=\/; Expires=.+; HttpOnly; SameSite=Lax$/,
        )
      })

      it('in mode session returns only the session cookie', async () => {
        const { id, email } = await newUser()
        const response = await login(email, { mode: 'session' })
        assert.deepEqual(response.body.data, { expires: 86_400_000 })
        assert.match(
          response.cookies.get(target.cookieName)?.attributes ?? '',
          /^Max-Age=86400; Path=\/; Expires=.+; HttpOnly; SameSite=Lax$/,
        )
        const claims = claimsOf(sessionOf(response))
        assert.equal(claims['id'], id)
        assert.equal(String(claims['session']).length, 64)
        assert.equal(Number(claims['exp']) - Number(claims['iat']), 86_400)
      })

      it('rejects a wrong password, an unknown e-mail address and a suspended user alike', async () => {
        const { email } = await newUser()
        const { email: suspended } = await newUser({ status: 'suspended' })
        const responses = await Promise.all([
          login(email, { password: 'not the password' }),
          login(`${randomUUID()}@example.com`),
          login(suspended),
        ])
        for (const response of responses) {
          refused(response, 'INVALID_CREDENTIALS')
          assert.deepEqual(response.body, responses[0].body)
        }
      })

      it('rejects invalid bodies', async () => {
        const bodies = [
          {},
          { email: 'x@example.com' },
          { email: 'no address', password: PASSWORD },
          { email: 'x@example.com', password: 7 },
          { email: 'x@example.com', password: PASSWORD, mode: 'other' },
        ]
        for (const body of bodies) refused(await send('POST', '/auth/login', { body }), 'INVALID_PAYLOAD')
        refused(await send('POST', '/auth/login', { rawBody: '{"email":' }), 'INVALID_PAYLOAD')
      })
    })

    describe('refresh', () => {
      it('rotates: the new token works, the old one does not', async () => {
        const old = (await newSignedIn()).tokens.refresh_token
        const next = await refreshJson(old)
        assert.equal(next.status, 200)
        assert.deepEqual(Object.keys(next.body.data).sort(), ['access_token', 'expires', 'refresh_token'])
        assert.equal((await me({ bearer: next.body.data.access_token })).status, 200)
        assert.equal((await refreshJson(next.body.data.refresh_token)).status, 200)
        refused(await refreshJson(old), 'INVALID_CREDENTIALS')
      })

      it('accepts one of four parallel refreshes of a token', async () => {
        const token = (await newSignedIn()).tokens.refresh_token
        const responses = await Promise.all([1, 2, 3, 4].map(() => refreshJson(token)))
        assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 401, 401, 401])
      })

      it('works with the refresh cookie, without a body', async () => {
        const { email } = await newUser()
        const old = (await login(email, { mode: 'cookie' })).cookies.get(REFRESH_COOKIE)?.value ?? ''
        const next = await send('POST', '/auth/refresh', { cookies: { [REFRESH_COOKIE]: old } })
        assert.equal(next.status, 200)
        assert.deepEqual(Object.keys(next.body.data).sort(), ['access_token', 'expires'])
        assert.notEqual(next.cookies.get(REFRESH_COOKIE)?.value, old)
      })

      it('works with the session cookie, and the old session stays valid for a moment', async () => {
        const { session: old } = await newSignedIn()
        const next = await send('POST', '/auth/refresh', {
          cookies: sessionCookie(old),
          body: { mode: 'session' },
        })
        assert.deepEqual([next.status, next.body.data], [200, { expires: 86_400_000 }])
        assert.equal((await me({ cookies: sessionCookie(sessionOf(next)) })).status, 200)
        assert.equal((await me({ cookies: sessionCookie(old) })).status, 200)
      })

      it('requires a token, and rejects an expired one in the header', async () => {
        refused(await send('POST', '/auth/refresh', { body: {} }), 'INVALID_PAYLOAD')
        refused(await send('POST', '/auth/refresh'), 'INVALID_PAYLOAD')
        refused(await refreshJson('x'.repeat(64)), 'INVALID_CREDENTIALS')
        const { access_token, refresh_token } = (await newSignedIn()).tokens
        const expired = forge(
          { ...claimsOf(access_token), iat: 1_000_000_000, exp: 1_000_000_900 },
          target.secret,
        )
        const response = await send('POST', '/auth/refresh', { bearer: expired, body: { refresh_token } })
        refused(response, 'TOKEN_EXPIRED')
      })
    })

    describe('logout', () => {
      it('ends the refresh token, and can be repeated', async () => {
        const { refresh_token } = (await newSignedIn()).tokens
        const body = { refresh_token, mode: 'json' }
        assert.equal((await send('POST', '/auth/logout', { body })).status, 204)
        assert.equal((await send('POST', '/auth/logout', { body })).status, 204)
        refused(await refreshJson(body.refresh_token), 'INVALID_CREDENTIALS')
        refused(await send('POST', '/auth/logout', { body: {} }), 'INVALID_PAYLOAD')
      })

      it('ends a session immediately and leaves an empty cookie', async () => {
        const { session } = await newSignedIn()
        const response = await send('POST', '/auth/logout', {
          cookies: sessionCookie(session),
          body: { mode: 'session' },
        })
        assert.equal(response.status, 204)
        assert.equal(response.cookies.get(target.cookieName)?.value, '')
        refused(await me({ bearer: session }), 'INVALID_CREDENTIALS')
      })
    })

    describe('a credential', () => {
      it('is read from the query, the header or the cookie, static or not', async () => {
        const { id, token, session } = await newSignedIn()
        const places: CallOptions[] = [
          { bearer: token },
          { headers: { authorization: `bearer ${token}` } },
          { bearer: session },
          { cookies: sessionCookie(session) },
          { cookies: sessionCookie(token) },
        ]
        for (const place of places) assert.deepEqual((await me(place)).body, { data: { id } })
        assert.equal((await send('GET', `/users/me?fields=id&access_token=${token}`)).body.data.id, id)
      })

      it('in the header takes precedence over the cookie, and is rejected together with one in the query', async () => {
        const [one, other] = [await newUser(), await newUser()]
        const both = await me({ bearer: one.token, cookies: sessionCookie(other.token) })
        assert.equal(both.body.data.id, one.id)
        const twice = await send('GET', `/users/me?access_token=${one.token}`, { bearer: one.token })
        refused(twice, 'INVALID_PAYLOAD')
      })

      it('that is missing, empty or of another scheme is anonymous', async () => {
        const nothing: CallOptions[] = [
          {},
          { cookies: sessionCookie('') },
          { headers: { authorization: 'Basic x' } },
        ]
        for (const options of nothing) {
          refused(await me(options), 'INVALID_CREDENTIALS')
          const globals = await send('GET', '/policies/me/globals', options)
          assert.deepEqual([globals.status, globals.body], [200, { data: { app_access: false } }])
        }
      })

      it('that is invalid is rejected by its kind', async () => {
        const claims = claimsOf((await newSignedIn()).tokens.access_token)
        const { role: _, ...withoutRole } = claims
        const expired = { ...claims, iat: 1_000_000_000, exp: 1_000_000_900 }
        const cases: [string, keyof typeof STATUS_OF][] = [
          ['garbage', 'INVALID_CREDENTIALS'],
          ['a.b.c', 'INVALID_CREDENTIALS'],
          [forge({ ...claims, iss: 'somebody' }, target.secret), 'INVALID_CREDENTIALS'],
          [forge(expired, target.secret), 'TOKEN_EXPIRED'],
          [forge(claims, 'another secret, of the same length or so'), 'INVALID_TOKEN'],
          [forge(expired, 'another secret, of the same length or so'), 'INVALID_TOKEN'],
          [`${forge(claims, target.secret, { alg: 'none' }).replace(/[^.]*$/, '')}`, 'INVALID_TOKEN'],
          [forge(withoutRole, target.secret), 'INVALID_TOKEN'],
        ]
        for (const [token, code] of cases) {
          refused(await me({ bearer: token }), code)
          refused(await send('GET', '/policies/me/globals', { bearer: token }), code)
        }
      })

      it('returns the rights of its user', async () => {
        const { token } = await newUser()
        const plain = await send('GET', '/policies/me/globals', { bearer: token })
        assert.deepEqual(plain.body.data, { app_access: false, admin_access: false, enforce_tfa: false })
        assert.equal((await asAdmin('GET', '/policies/me/globals')).body.data.admin_access, true)
      })
    })

    describe('a static token', () => {
      it('is shown masked', async () => {
        const { id, token } = await newUser()
        const shown = await asAdmin('GET', `/users/${id}?fields=token,password`)
        assert.deepEqual(shown.body.data, { token: '**********', password: '**********' })
        assert.ok(!JSON.stringify(shown.body).includes(token))
      })

      it('stops working when it is replaced or removed, and when its user is suspended or deleted', async () => {
        const endings: ((id: string) => Promise<HttpResponse>)[] = [
          (id) => asAdmin('PATCH', `/users/${id}`, { token: `static-${randomUUID()}` }),
          (id) => asAdmin('PATCH', `/users/${id}`, { token: null }),
          (id) => asAdmin('PATCH', `/users/${id}`, { status: 'suspended' }),
          (id) => asAdmin('DELETE', `/users/${id}`),
        ]
        for (const ending of endings) {
          const { id, token } = await newUser()
          assert.equal((await me({ bearer: token })).status, 200)
          assert.ok([200, 204].includes((await ending(id)).status))
          refused(await me({ bearer: token }), 'INVALID_CREDENTIALS')
        }
      })
    })

    describe('users', () => {
      it('are read by administrators, field by field', async () => {
        const { id, email } = await newUser({ first_name: 'Ada', last_name: 'L' })
        const user = await asAdmin('GET', `/users/${id}?fields=id,email,first_name,last_name,status,role`)
        const shown = { id, email, first_name: 'Ada', last_name: 'L', status: 'active', role: null }
        assert.deepEqual(user.body, { data: shown })
        const some = await asAdmin('GET', `/users?fields=id&filter[id][_in]=${id},${randomUUID()}`)
        assert.deepEqual(some.body, { data: [{ id }] })
        const filter = `filter[email][_eq]=${encodeURIComponent(email)}`
        const byEmail = await asAdmin('GET', `/users?fields=id&${filter}`)
        assert.deepEqual(byEmail.body, { data: [{ id }] })
        assert.equal((await asAdmin('GET', '/users?fields=id&limit=1')).body.data.length, 1)
        assert.ok((await asAdmin('GET', '/users?fields=id&limit=-1')).body.data.length > 1)
      })

      it('are changed by administrators', async () => {
        const { id } = await newUser()
        const changed = await asAdmin('PATCH', `/users/${id}?fields=id,first_name`, { first_name: 'Grace' })
        assert.deepEqual([changed.status, changed.body], [200, { data: { id, first_name: 'Grace' } }])
      })

      it('keep a given id, and have a unique e-mail address', async () => {
        const id = randomUUID()
        const { email } = await newUser({ id })
        assert.equal((await asAdmin('GET', `/users/${id}?fields=id`)).body.data.id, id)
        refused(await asAdmin('POST', '/users', { email, password: PASSWORD }), 'RECORD_NOT_UNIQUE')
      })

      it('are forbidden to others, and so is an unknown one', async () => {
        const [{ token }, other] = [await newUser(), await newUser()]
        for (const options of [{}, { bearer: token }]) {
          refused(await send('GET', '/users', options), 'FORBIDDEN')
          refused(await send('GET', `/users/${other.id}`, options), 'FORBIDDEN')
          const change = { ...options, body: { first_name: 'x' } }
          refused(await send('PATCH', `/users/${other.id}`, change), 'FORBIDDEN')
          refused(await send('DELETE', `/users/${other.id}`, options), 'FORBIDDEN')
        }
        const unknown = randomUUID()
        refused(await asAdmin('GET', `/users/${unknown}`), 'FORBIDDEN')
        refused(await asAdmin('DELETE', `/users/${unknown}`), 'FORBIDDEN')
      })

      it('lose their sessions with a new password, and when suspended', async () => {
        for (const change of [{ password: 'another password' }, { status: 'suspended' }]) {
          const { id, email, session, tokens } = await newSignedIn()
          await asAdmin('PATCH', `/users/${id}`, change)
          refused(await me({ bearer: session }), 'INVALID_CREDENTIALS')
          refused(await refreshJson(tokens.refresh_token), 'INVALID_CREDENTIALS')
          refused(await login(email), 'INVALID_CREDENTIALS')
          if (change.password) assert.equal((await login(email, change)).status, 200)
        }
      })

      it('have the admin claim by their role', async () => {
        const roles = (await asAdmin('GET', '/roles')).body.data
        const role = (await asAdmin('GET', '/users/me?fields=role')).body.data.role
        const { name } = roles.find(({ id }: { id: string }) => id === role)
        assert.equal(name, 'Administrator')
        const { email } = await newUser({ role })
        const claims = claimsOf((await login(email)).body.data.access_token)
        assert.deepEqual([claims['role'], claims['admin_access'], claims['app_access']], [role, true, true])
      })
    })

    describe('two factors', () => {
      const now = () => (target.clock ?? Date).now()
      const stepNow = () => Math.floor(now() / STEP_MS)

      /** A store that accepts each code once needs another one after enabling and after each login. */
      async function nextStep(): Promise<void> {
        const ms = STEP_MS - (now() % STEP_MS)
        if (target.clock) target.clock.advance(ms)
        else await delay(ms)
      }

      /** Runs a request with codes of the current step, and again if the step ended during the request. */
      async function inOneStep(
        secret: string,
        request: (code: (step: number) => string) => Promise<HttpResponse>,
      ): Promise<HttpResponse> {
        for (;;) {
          const step = stepNow()
          const code = (ahead: number) =>
            new TOTP({ secret }).generate({ timestamp: (step + ahead) * STEP_MS })
          const response = await request(code)
          if (stepNow() === step) return response
        }
      }

      it('are required after the password, and only while enabled', async () => {
        const role = (await asAdmin('GET', '/users/me?fields=role')).body.data.role
        const { email, token: bearer } = await newUser({ role })
        const post = (path: string, body: unknown) => send('POST', `/users/me/tfa/${path}`, { bearer, body })
        const withCode = await login(email, { otp: '000000' })
        assert.equal(withCode.status, 200, 'a code is ignored while two factors are off')

        refused(await post('generate', { password: 'not the password' }), 'INVALID_CREDENTIALS')
        refused(await post('generate', {}), 'INVALID_PAYLOAD')
        const { secret, otpauth_url } = (await post('generate', { password: PASSWORD })).body.data
        assert.match(secret, /^[A-Z2-7]{16,}$/)
        assert.ok(otpauth_url.startsWith('otpauth://totp/') && otpauth_url.includes(secret))
        assert.equal((await login(email)).status, 200, 'a secret has no effect before it is enabled')

        const early = await inOneStep(secret, (code) => post('enable', { secret, otp: code(5) }))
        refused(early, 'INVALID_PAYLOAD')
        await inOneStep(secret, (code) => post('enable', { secret, otp: code(0) }))

        refused(await login(email), 'INVALID_OTP')
        refused(await login(email, { password: 'not the password' }), 'INVALID_CREDENTIALS')
        for (const ahead of [-1, 1]) {
          refused(await inOneStep(secret, (code) => login(email, { otp: code(ahead) })), 'INVALID_OTP')
        }
        if (target.strict) await nextStep()
        let used = ''
        const signedIn = await inOneStep(secret, (code) => {
          used = code(0)
          return login(email, { otp: used })
        })
        assert.equal(signedIn.status, 200)
        if (target.strict) {
          refused(await login(email, { otp: used }), 'INVALID_OTP')
          refused(await login(email, { otp: used, mode: 'session' }), 'INVALID_OTP')
          refused(await post('disable', { otp: used }), 'INVALID_PAYLOAD')
        }
        assert.equal((await me({ bearer })).status, 200, 'a static token needs no code')

        refused(await inOneStep(secret, (code) => post('disable', { otp: code(5) })), 'INVALID_PAYLOAD')
        if (target.strict) await nextStep()
        await inOneStep(secret, (code) => post('disable', { otp: code(0) }))
        assert.equal((await login(email)).status, 200)
      })

      it('require a signed-in user', async () => {
        const body = { password: PASSWORD }
        refused(await send('POST', '/users/me/tfa/generate', { body }), 'INVALID_CREDENTIALS')
      })
    })

    describe('the server', () => {
      it('responds to ping and health checks', async () => {
        const ping = await send('GET', '/server/ping')
        assert.deepEqual([ping.status, ping.body], [200, 'pong'])
        assert.equal((await asAdmin('GET', '/server/health')).status, 200)
      })

      it('has no other routes', async () => {
        refused(await send('GET', '/nothing/here'), 'ROUTE_NOT_FOUND')
        refused(await asAdmin('POST', '/auth/nothing', {}), 'ROUTE_NOT_FOUND')
      })
    })

    describe('rules that are stricter than in Directus', () => {
      const strictly = (promise: string, work: () => Promise<void>): void => {
        void it(promise, async (test) => (target.strict ? work() : test.skip('not a rule of this store')))
      }

      strictly('repeats the tokens at the top level', async () => {
        const { email } = await newUser()
        for (const mode of ['json', 'cookie', 'session']) {
          const { data, ...top } = (await login(email, { mode })).body
          assert.deepEqual(top, data)
        }
        const { data, ...top } = (await refreshJson((await login(email)).body.refresh_token)).body
        assert.deepEqual(top, data)
      })

      strictly('ends the session of a reused refresh token, and no other', async () => {
        const { email } = await newUser()
        const [first, unrelated] = [(await login(email)).body.data, (await login(email)).body.data]
        const second = (await refreshJson(first.refresh_token)).body.data
        const third = (await refreshJson(second.refresh_token)).body.data
        refused(await refreshJson(first.refresh_token), 'INVALID_CREDENTIALS')
        refused(await refreshJson(third.refresh_token), 'INVALID_CREDENTIALS')
        assert.equal((await refreshJson(unrelated.refresh_token)).status, 200)
      })

      strictly('ends the session of a reused refresh cookie', async () => {
        const { email } = await newUser()
        const byCookie = (value: string) =>
          send('POST', '/auth/refresh', { cookies: { [REFRESH_COOKIE]: value } })
        const tokenOf = (response: HttpResponse) => response.cookies.get(REFRESH_COOKIE)?.value ?? ''
        const first = tokenOf(await login(email, { mode: 'cookie' }))
        const second = tokenOf(await byCookie(first))
        refused(await byCookie(first), 'INVALID_CREDENTIALS')
        refused(await byCookie(second), 'INVALID_CREDENTIALS')
      })

      strictly(
        'rejects an old session cookie within the grace period without ending the session',
        async () => {
          const { email } = await newUser()
          const bySession = (value: string) =>
            send('POST', '/auth/refresh', { cookies: sessionCookie(value), body: { mode: 'session' } })
          const first = sessionOf(await login(email, { mode: 'session' }))
          const second = sessionOf(await bySession(first))
          refused(await bySession(first), 'INVALID_CREDENTIALS')
          assert.equal((await bySession(second)).status, 200)
        },
      )

      strictly('ignores the case of e-mail addresses', async () => {
        const { email } = await newUser()
        assert.equal((await login(email.toUpperCase())).status, 200)
        const again = await asAdmin('POST', '/users', { email: email.toUpperCase(), password: PASSWORD })
        refused(again, 'RECORD_NOT_UNIQUE')
      })
    })
  })
}
