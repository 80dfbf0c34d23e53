import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createLog } from '../../../platform/log.ts'
import {
  type BackendOptions,
  newUser,
  type Reply,
  request,
  startBackend,
  type TestBackend,
} from '../../../test/support/backend.ts'
import { type OwnClock, ownClock } from '../../../test/support/own-clock.ts'
import { type FakeStore, knows, refused, startFakeStore } from '../../../test/support/servers/fake-store.ts'
import {
  type Behaviour,
  cutOff,
  hang,
  json,
  redirectTo,
  reset,
  stall,
  text,
} from '../../../test/support/servers/scripted-server.ts'
import { ask, type Outcome, outcomeOf } from './testing/outcome.ts'

const COOKIE = 'service_session_token'
const newToken = (): string => randomBytes(24).toString('base64url')

const USAGE = '/api/v2/admin/usage'
type StoreBehaviour = Parameters<FakeStore['set']>[1]

interface Bench {
  backend: TestBackend
  store: FakeStore
  clock: OwnClock
  expect(token: string, outcome: Outcome): Promise<void>
  /** Sets how the store responds about the token, and then checks the outcome. */
  expectAfter(token: string, behaviour: StoreBehaviour, outcome: Outcome): Promise<void>
  /** The status of a route for staff. */
  staffStatus(token: string): Promise<number>
  stop(): Promise<void>
}

async function startBench(options: BackendOptions = {}): Promise<Bench> {
  const clock = ownClock()
  const store = await startFakeStore()
  const backend = await startBackend({ clock, identityUrl: store.url, ...options })
  const expect = async (token: string, outcome: Outcome) =>
    assert.equal(await outcomeOf(backend, token), outcome)
  return {
    backend,
    store,
    clock,
    expect,
    expectAfter: (token, behaviour, outcome) => {
      store.set(token, behaviour)
      return expect(token, outcome)
    },
    staffStatus: async (token) => (await ask(backend, token, USAGE)).status,
    stop: async () => {
      await backend.stop()
      await store.stop()
    },
  }
}

/** A backend and a store for the tests of the calling suite. */
function useBench(options?: BackendOptions): Bench {
  const bench = {} as Bench
  before(async () => void Object.assign(bench, await startBench(options)))
  after(() => bench.stop())
  return bench
}

const user = newUser()
const good = knows(user)
const me = (body: unknown) => ({ ...good, me: json(body) })
const globals = (behaviour: Behaviour) => ({ ...good, globals: behaviour })
const huge = json({ data: { id: user, padding: 'x'.repeat(100_000) } })
/** A redirect to a valid response. */
const redirect =
  (status: number): Behaviour =>
  (response, incoming) =>
    incoming.url?.includes('followed')
      ? json({ data: { id: user } })(response, incoming)
      : redirectTo('/users/me?followed', status)(response, incoming)

type Case = [string, Behaviour]
const ABSENCES: Case[] = [
  ['429', json({ errors: [{ extensions: { code: 'REQUESTS_EXCEEDED' } }] }, 429)],
  ['500', json({ errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] }, 500)],
  ['502 with a page', text('<h1>Bad gateway</h1>', { status: 502 })],
  ['503', json({ errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }] }, 503)],
  ['504', text('', { status: 504 })],
  ['404, as by a wrong address', json({ errors: [{ extensions: { code: 'ROUTE_NOT_FOUND' } }] }, 404)],
  ['400', json({ errors: [{ extensions: { code: 'INVALID_PAYLOAD' } }] }, 400)],
  ['204', (response) => response.writeHead(204).end()],
  ['a page', text('<!doctype html><title>Welcome to the Wi-Fi</title>')],
  ['a page that calls itself JSON', text('<html>', { type: 'application/json' })],
  ['an empty 200', text('')],
  ['half a JSON', text('{"data":{"id":', { type: 'application/json' })],
  ['a list', json([{ id: user }])],
  ['a string', json(user)],
  ['null', json(null)],
  ['true', json(true)],
  ['an object of something else', json({ status: 'ok' })],
  ['no data', json({ data: null })],
  ['60,000 brackets', text('['.repeat(60_000), { type: 'application/json' })],
  ['a huge response', huge],
  ...[301, 302, 307, 308].map((status): Case => [`a redirect (${status})`, redirect(status)]),
  ['a cut connection', reset],
  ['a response cut off', cutOff],
]
/** Each takes the whole timeout of the client. */
const TIMEOUT_MS = 3_000
const SILENCES: Case[] = [
  ['silence', hang],
  ['a head and then silence', stall],
]

describe('maps each response of the store to an outcome', { concurrency: 16 }, () => {
  const bench = useBench()
  const impatient = useBench({ identityLimitMs: TIMEOUT_MS })

  const rows: [string, StoreBehaviour, Outcome][] = [
    ['the user', good, 'accepted'],
    ['401', refused, 'refused'],
    ['403', json({ errors: [{ extensions: { code: 'INVALID_TOKEN' } }] }, 403), 'refused'],
    ['401 with a page', text('<h1>No</h1>', { status: 401 }), 'refused'],
    ['a share', me({ data: { share: newUser() } }), 'refused'],
    ['no id', me({ data: {} }), 'refused'],
    ['an empty id', me({ data: { id: '' } }), 'refused'],
    ['an id that is null', me({ data: { id: null } }), 'refused'],
    ['an id that is a number', me({ data: { id: 1 } }), 'refused'],
    ['an id in a list', me({ data: { id: [user] } }), 'refused'],
    ['an id with NUL', me({ data: { id: `${user}\0` } }), 'refused'],
    ['an id of half a character', me({ data: { id: '\ud800' } }), 'refused'],
    ['an id of 300 characters', me({ data: { id: 'x'.repeat(300) } }), 'refused'],
    ['an id outside of data', json({ id: user }), 'unavailable'],
    ...[...ABSENCES, ...SILENCES].flatMap(([name, behaviour]): [string, StoreBehaviour, Outcome][] => [
      [name, behaviour, 'unavailable'],
      // Directus 10 has no such route: its users are known, and none of them is staff by a static token.
      [
        `the user, but ${name} for the policies`,
        globals(behaviour),
        name.startsWith('404') ? 'accepted' : 'unavailable',
      ],
    ]),
  ]
  for (const [name, behaviour, outcome] of rows) {
    test(`${name}: ${outcome}`, async () => {
      const isSilent = SILENCES.some(([silence]) => name.includes(silence))
      const { backend, expectAfter } = isSilent ? impatient : bench
      const tokens = [newToken(), await backend.token({ id: user, session: newToken() })]
      await Promise.all(tokens.map((token) => expectAfter(token, behaviour, outcome)))
    })
  }

  test('takes the user of a static token from the store, in the header and in the cookie', async () => {
    const token = newToken()
    bench.store.set(token, good)
    for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `${COOKIE}=${token}` }]) {
      const reply = await request(`${bench.backend.url}/api/v2/me`, 'GET', undefined, headers)
      assert.deepEqual([reply.status, reply.body.user.id, reply.body.staff], [200, user, false])
    }
  })

  const policies: [string, Behaviour, number][] = [
    ['true', json({ data: { admin_access: true } }), 200],
    ['false', json({ data: { admin_access: false } }), 403],
    ['missing', json({ data: { app_access: true } }), 403],
    ['"true"', json({ data: { admin_access: 'true' } }), 403],
    ['1', json({ data: { admin_access: 1 } }), 403],
    ['null', json({ data: { admin_access: null } }), 403],
    ['[true]', json({ data: { admin_access: [true] } }), 403],
    ['outside of data', json({ data: {}, admin_access: true }), 403],
    ['refused (401)', refused, 403],
    ['refused (403)', json({ errors: [] }, 403), 403],
  ]
  for (const [name, behaviour, status] of policies) {
    test(`a static token with admin_access ${name} in the policies: ${status} on a staff route`, async () => {
      const token = newToken()
      bench.store.set(token, globals(behaviour))
      assert.equal(await bench.staffStatus(token), status)
      await bench.expect(token, 'accepted')
    })
  }

  test('asks the store once for twenty concurrent requests, whatever the outcome', async () => {
    const { backend, store } = bench
    const cases: [typeof good, Outcome, string][] = [
      [good, 'accepted', newToken()],
      [{ me: refused, globals: refused }, 'refused', newToken()],
      [{ me: json({}, 500), globals: json({}, 500) }, 'unavailable', newToken()],
      [good, 'accepted', await backend.token({ id: user, session: newToken() })],
    ]
    for (const [behaviour, outcome, token] of cases) {
      const arrived = arrivals(backend, token, 20)
      // The store responds only when all twenty are waiting for it.
      const whenAllWait: Behaviour = (...args) => void arrived.then(() => behaviour.me(...args))
      store.set(token, { ...behaviour, me: whenAllWait })
      await Promise.all(Array.from({ length: 20 }, () => bench.expect(token, outcome)))
      assert.equal(store.requestCount(token), 1)
    }
  })

  test('never sends a token with an invalid signature or expiry to the store', async () => {
    const { backend, store } = bench
    const valid = await backend.token({ id: user, session: 'x' })
    const forged = `${valid.slice(0, valid.lastIndexOf('.'))}.${newToken()}`
    const expired = await backend.token({ id: user, session: 'x', exp: 1_000_000_000 })
    for (const token of [forged, expired]) {
      await bench.expectAfter(token, good, 'refused')
      assert.equal(store.requestCount(token), 0)
    }
  })

  test('rejects a session that the store attributes to another user', async () => {
    const token = await bench.backend.token({ id: user, session: newToken() })
    await bench.expectAfter(token, knows(newUser()), 'refused')
  })

  test('does not ask the store about a token without a session', async () => {
    const token = await bench.backend.token({ id: user })
    await bench.expectAfter(token, refused, 'accepted')
    assert.equal(bench.store.requestCount(token), 0)
  })

  test('takes staff from the claim of a session token, not from the store', async () => {
    for (const claim of [true, false]) {
      const token = await bench.backend.token({ id: user, session: newToken(), admin_access: claim })
      bench.store.set(token, knows(user, !claim))
      assert.equal(await bench.staffStatus(token), claim ? 200 : 403)
    }
  })
})

describe('while the store does not respond', () => {
  const bench = useBench({ identityLimitMs: TIMEOUT_MS })

  test('uses its last result', async () => {
    const rows: [string, Outcome][] = [
      [newToken(), 'accepted'],
      [await bench.backend.token({ id: user, session: newToken() }), 'accepted'],
      [newToken(), 'refused'],
    ]
    for (const [token, last] of rows)
      await bench.expectAfter(token, last === 'accepted' ? good : refused, last)
    for (const [token] of rows) bench.store.set(token, hang)
    bench.clock.advance(299)
    await Promise.all(rows.map(([token, last]) => bench.expect(token, last)))
  })
})

/** Resolves when this many requests with the token have reached the backend. */
function arrivals(backend: TestBackend, token: string, count: number): Promise<void> {
  return new Promise((resolve) => {
    let seen = 0
    const look = (incoming: { headers: NodeJS.Dict<string | string[]> }) => {
      if (incoming.headers['authorization'] === `Bearer ${token}`) seen += 1
      if (seen < count) return
      backend.app.server.off('request', look)
      resolve()
    }
    backend.app.server.on('request', look)
  })
}

describe('caching of results', () => {
  const bench = useBench()

  /** A static token and a session, which must be treated alike. */
  const bothKinds = async () => {
    const exp = Math.floor(bench.clock.now() / 1000) + 86_400
    return [newToken(), await bench.backend.token({ id: user, session: newToken(), exp })]
  }

  const lifetimes = [
    { first: good, later: refused, outcome: 'accepted', next: 'refused', seconds: 30 },
    { first: refused, later: good, outcome: 'refused', next: 'accepted', seconds: 5 },
  ] as const
  for (const { first, later, outcome, next, seconds } of lifetimes) {
    test(`a token that was ${outcome} stays so for ${seconds} s`, async () => {
      const { store, clock } = bench
      for (const token of await bothKinds()) {
        await bench.expectAfter(token, first, outcome)
        clock.advance(seconds - 0.001)
        await bench.expectAfter(token, later, outcome)
        assert.equal(store.requestCount(token), 1)
        clock.advance(0.001)
        await bench.expect(token, next)
        assert.equal(store.requestCount(token), 2)
      }
    })
  }

  test('does not use the result of one token for another', async () => {
    const token = newToken()
    await bench.expectAfter(token, good, 'accepted')
    for (const other of [`${token}x`, token.slice(0, -1), token.toUpperCase(), `x${token}`])
      await bench.expect(other, 'refused')
  })

  test('waits a second after a failure before it asks about the same token again', async () => {
    const { store, clock } = bench
    const [token, other] = [newToken(), newToken()]
    store.set(token, json({}, 503))
    for (let i = 0; i < 3; i++) await bench.expect(token, 'unavailable')
    assert.equal(store.requestCount(token), 1)
    await bench.expectAfter(other, good, 'accepted')
    clock.advance(1)
    await bench.expectAfter(token, good, 'accepted')
  })

  test('uses the last result for 5 min while the store is unavailable, then returns 503', async () => {
    const { backend, store, clock } = bench
    const rows: { token: string; last: Outcome; absence: Behaviour; name: string }[] = []
    for (const [name, absence] of ABSENCES) {
      for (const token of await bothKinds()) rows.push({ token, last: 'accepted', absence, name })
      rows.push({ token: newToken(), last: 'refused', absence, name })
    }
    const assertAll = async (expected?: Outcome) => {
      const outcomes = await Promise.all(rows.map(({ token }) => outcomeOf(backend, token)))
      assert.deepEqual(
        rows.map(({ name }, index) => [name, outcomes[index]]),
        rows.map(({ name, last }) => [name, expected ?? last]),
      )
    }
    for (const { token, last } of rows) store.set(token, last === 'accepted' ? good : refused)
    await assertAll()

    for (const { token, absence } of rows) store.set(token, absence)
    clock.advance(31)
    await assertAll()
    clock.advance(300 - 31)
    await assertAll()
    clock.advance(1)
    await assertAll('unavailable')

    clock.advance(1)
    for (const { token, last } of rows) store.set(token, last === 'accepted' ? good : refused)
    await assertAll()
  })

  test('does not accept a refused token again during an outage', async () => {
    const { store, clock, backend } = bench
    for (const token of await bothKinds()) {
      await bench.expectAfter(token, good, 'accepted')
      clock.advance(30)
      await bench.expectAfter(token, refused, 'refused')
      store.set(token, json({}, 503))
      for (const seconds of [1, 10, 60, 200, 600]) {
        clock.advance(seconds)
        assert.notEqual(await outcomeOf(backend, token), 'accepted')
      }
    }
  })

  test('requests during an outage do not extend the 5 min', async () => {
    const token = newToken()
    await bench.expectAfter(token, good, 'accepted')
    for (let minute = 0; minute < 5; minute += 1) {
      bench.clock.advance(60)
      await bench.expectAfter(token, reset, 'accepted')
    }
    bench.clock.advance(1)
    await bench.expect(token, 'unavailable')
  })
})

describe('with IDENTITY_CHECK_SESSIONS off', () => {
  const bench = useBench({ checkSessions: false })

  test('does not ask the store about sessions, but still about static tokens', async () => {
    const session = await bench.backend.token({ id: user, session: newToken() })
    await bench.expectAfter(session, refused, 'accepted')
    assert.equal(bench.store.requestCount(session), 0)
    await bench.expect(newToken(), 'refused')
  })
})

describe('with IDENTITY_CONFIRM_STAFF on', () => {
  const bench = useBench({ confirmStaff: true })
  const newStaffToken = (admin_access = true) =>
    bench.backend.token({ id: user, admin_access, jti: newToken() })

  const sayingTrue = globals(json({ data: { admin_access: 'true' } }))
  const rows: [string, boolean, StoreBehaviour, [number, string | undefined]][] = [
    ['claim and store say yes', true, knows(user, true), [200, undefined]],
    ['the store says no', true, knows(user, false), [403, 'staff_required']],
    ['the store says "true"', true, sayingTrue, [403, 'staff_required']],
    ['the store refuses the token', true, refused, [403, 'staff_required']],
    ['only the store says yes', false, knows(user, true), [403, 'staff_required']],
    ['the store is unavailable', true, json({}, 500), [503, 'identity_unavailable']],
    ['the store is unavailable for the policies', true, globals(reset), [503, 'identity_unavailable']],
  ]
  for (const [name, claim, behaviour, expected] of rows) {
    test(`${name}: ${expected[0]}`, async () => {
      const token = await newStaffToken(claim)
      bench.store.set(token, behaviour)
      for (const path of [USAGE, '/api/v2/admin/organisations']) {
        const reply = await ask(bench.backend, token, path)
        assert.deepEqual([reply.status, reply.body.code], expected)
      }
      // Only staff learn that a path does not exist.
      const unknown = await ask(bench.backend, token, '/api/v2/admin/nothing')
      assert.equal(unknown.status, expected[0] === 200 ? 404 : expected[0])
    })
  }

  test('other routes do not ask the store', async () => {
    const token = await newStaffToken()
    await bench.expectAfter(token, hang, 'accepted')
    assert.equal(bench.store.requestCount(token), 0)
  })

  test('a user who loses staff rights at the store loses them here after 30 s', async () => {
    const token = await newStaffToken()
    bench.store.set(token, knows(user, true))
    assert.equal(await bench.staffStatus(token), 200)
    bench.store.set(token, knows(user, false))
    bench.clock.advance(30)
    assert.equal(await bench.staffStatus(token), 403)
  })
})

test('never logs a token or a part of one', async (t) => {
  const lines: string[] = []
  const log = createLog('debug', { write: (line: string) => void lines.push(line) })
  const { backend, store, clock, stop } = await startBench({ log, confirmStaff: true })
  t.after(() => stop())
  const exp = Math.floor(clock.now() / 1000) + 86_400
  const tokens = [
    newToken(),
    newToken(),
    await backend.token({ id: user, session: newToken(), admin_access: true, exp }),
    await backend.token({ id: user, jti: newToken(), admin_access: true, exp }),
  ]
  const behaviours = [good, refused, json({}, 500), reset, huge, text('<html>')]
  for (const behaviour of behaviours) {
    for (const token of tokens) {
      store.set(token, behaviour)
      for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `${COOKIE}=${token}` }]) {
        for (const path of ['/api/v2/me', USAGE, `/api/v2/me?access_token=${token}`]) {
          const reply = await request(`${backend.url}${path}`, 'GET', undefined, headers)
          assert.ok(!reply.text.includes(token), 'a response must not contain it either')
        }
      }
    }
    clock.advance(400)
  }
  await request(`${backend.url}/api/v2/me`, 'GET', undefined, { authorization: `Bearer ${tokens[0]}, x` })
  const all = lines.join('')
  assert.ok(lines.length > 100, 'the log is the real one')
  assert.ok(all.includes('identity_unavailable'))
  for (const secret of tokens.flatMap((token) => [token, ...token.split('.')])) {
    assert.ok(!all.includes(secret.slice(0, 20)) || secret.startsWith('eyJhbGci'), 'a token in the log')
  }
  assert.ok(!all.includes('eyJ'), 'a JWT in the log')
  assert.ok(!all.includes(backend.secret), 'the secret in the log')
})

describe('with the embedded store', () => {
  let clock: OwnClock
  let backend: TestBackend
  let admin: string
  before(async () => {
    // The clock stands still: created earlier, it would be behind the tokens of the store.
    clock = ownClock()
    backend = await startBackend({ clock })
    admin = (await login(backend.admin)).body.access_token
  })
  after(() => backend.stop())

  const login = (body: Record<string, unknown>) => request(`${backend.identityUrl}/auth/login`, 'POST', body)
  const atStore = (method: string, path: string, body?: unknown) =>
    request(`${backend.identityUrl}${path}`, method, body, { authorization: `Bearer ${admin}` })
  const withCookie = (token: string, path = '/api/v2/me') =>
    request(`${backend.url}${path}`, 'GET', undefined, { cookie: `${COOKIE}=${token}` })

  const sessionOf = async (body: Record<string, unknown>) => {
    const cookies = (await login({ ...body, mode: 'session' })).headers.getSetCookie().join()
    return new RegExp(`${COOKIE}=([^;]+)`).exec(cookies)?.[1] ?? ''
  }
  const assertAdmin = ({ status, body }: Reply) =>
    assert.deepEqual([status, body.user.email, body.staff], [200, backend.admin.email, true])

  test('the cookie of a login works immediately, and stops working within 30 s of the logout', async () => {
    const session = await sessionOf(backend.admin)
    const headers = { cookie: `${COOKIE}=${session}` }
    assertAdmin(await withCookie(session))
    assert.equal((await withCookie(session, USAGE)).status, 200)

    const logout = `${backend.identityUrl}/auth/logout`
    assert.equal((await request(logout, 'POST', { mode: 'session' }, headers)).status, 204)
    clock.advance(31)
    assert.equal((await withCookie(session)).status, 401)
    assert.equal((await ask(backend, session)).status, 401)
  })

  test('the access token of a login works as a bearer token', async () =>
    assertAdmin(await ask(backend, admin)))

  test('a static token acts as its user, and as staff while the policies of the store say so', async () => {
    const { role } = (await atStore('GET', '/users/me')).body.data
    const plain = newToken()
    const privileged = newToken()
    const one = (await atStore('POST', '/users', { email: 'one@example.com', token: plain })).body.data
    const two = (await atStore('POST', '/users', { token: privileged, role })).body.data
    const usage = async (token: string) => (await ask(backend, token, USAGE)).status

    const asOne = await ask(backend, plain)
    assert.deepEqual(
      [asOne.body.user.id, asOne.body.user.email, asOne.body.staff],
      [one.id, 'one@example.com', false],
    )
    const asTwo = await ask(backend, privileged)
    assert.deepEqual([asTwo.body.user.id, asTwo.body.staff], [two.id, true])
    assert.deepEqual([await usage(plain), await usage(privileged)], [403, 200])

    assert.equal((await atStore('PATCH', `/users/${two.id}`, { role: null })).status, 200)
    clock.advance(31)
    assert.equal(await usage(privileged), 403)
    assert.equal((await ask(backend, privileged)).status, 200)
  })

  const endings: [string, (id: string) => Promise<{ status: number }>][] = [
    ['the user is suspended', (id) => atStore('PATCH', `/users/${id}`, { status: 'suspended' })],
    ['the user is deleted', (id) => atStore('DELETE', `/users/${id}`)],
    ['the token is removed', (id) => atStore('PATCH', `/users/${id}`, { token: null })],
    ['the token is replaced', (id) => atStore('PATCH', `/users/${id}`, { token: newToken() })],
  ]
  for (const [name, end] of endings) {
    test(`a static token is refused within 30 s when ${name}`, async () => {
      const token = newToken()
      const { id } = (await atStore('POST', '/users', { token })).body.data
      assert.equal(await outcomeOf(backend, token), 'accepted')
      assert.ok((await end(id)).status < 300)
      clock.advance(31)
      assert.equal(await outcomeOf(backend, token), 'refused')
    })
  }

  test('a session ends when its user is suspended', async () => {
    const email = 'three@example.com'
    const password = newToken()
    const { id } = (await atStore('POST', '/users', { email, password })).body.data
    const session = await sessionOf({ email, password })
    assert.equal((await withCookie(session)).body.user.id, id)
    await atStore('PATCH', `/users/${id}`, { status: 'suspended' })
    clock.advance(31)
    assert.equal((await withCookie(session)).status, 401)
  })
})
