import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createLog } from '../../../platform/log.ts'
import {
  type BackendOptions,
  newUser,
  request,
  startBackend,
  type TestBackend,
} from '../../../test/support/backend.ts'
import { type FakeStore, knows, refused, startFakeStore } from '../../../test/support/fake-store.ts'
import { type OwnClock, ownClock } from '../../../test/support/own-clock.ts'
import {
  type Behaviour,
  cutOff,
  hang,
  json,
  redirectTo,
  reset,
  stall,
  text,
} from '../../../test/support/scripted-server.ts'

const COOKIE = 'service_session_token'
const newToken = (): string => randomBytes(24).toString('base64url')

interface Bench {
  backend: TestBackend
  store: FakeStore
  clock: OwnClock
  stop(): Promise<void>
}

async function startBench(options: BackendOptions = {}): Promise<Bench> {
  const clock = ownClock()
  const store = await startFakeStore()
  const backend = await startBackend({ clock, identityUrl: store.url, ...options })
  return {
    backend,
    store,
    clock,
    stop: async () => {
      await backend.stop()
      await store.stop()
    },
  }
}

const ask = (backend: TestBackend, token: string, path = '/api/v2/organisations') =>
  request(`${backend.url}${path}`, 'GET', undefined, { authorization: `Bearer ${token}` })

type Outcome = 'accepted' | 'refused' | 'unavailable'

/** What the backend makes of a token. The two ways to say no must never be mixed up. */
async function outcomeOf(backend: TestBackend, token: string): Promise<Outcome> {
  const reply = await ask(backend, token)
  if (reply.status === 200) return 'accepted'
  if (reply.status === 401) {
    assert.equal(reply.body.code, 'unauthenticated')
    return 'refused'
  }
  assert.deepEqual([reply.status, reply.body?.code], [503, 'identity_unavailable'])
  assert.ok(Number(reply.headers.get('retry-after')) > 0, 'says when to come back')
  assert.equal(reply.headers.get('www-authenticate'), null)
  return 'unavailable'
}

const user = newUser()
const good = knows(user)
const me = (body: unknown): { me: Behaviour; globals: Behaviour } => ({ ...good, me: json(body) })
const globals = (behaviour: Behaviour): { me: Behaviour; globals: Behaviour } => ({
  ...good,
  globals: behaviour,
})
const huge = json({ data: { id: user, padding: 'x'.repeat(100_000) } })
/** A redirect to an answer that would be good. */
const redirect =
  (status: number): Behaviour =>
  (response, incoming) =>
    incoming.url?.includes('followed')
      ? json({ data: { id: user } })(response, incoming)
      : redirectTo('/users/me?followed', status)(response, incoming)

const ABSENCES: [string, Behaviour][] = [
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
  ['a huge answer', huge],
  ['a redirect (301)', redirect(301)],
  ['a redirect (302)', redirect(302)],
  ['a redirect (307)', redirect(307)],
  ['a redirect (308)', redirect(308)],
  ['a cut connection', reset],
  ['an answer cut off', cutOff],
]
/** Each takes the whole timeout of the client. */
const TIMEOUT_MS = 3_000
const SILENCES: [string, Behaviour][] = [
  ['silence', hang],
  ['a head and then silence', stall],
]

describe('maps each response of the store to an outcome', { concurrency: 16 }, () => {
  let bench: Bench
  let impatient: Bench
  before(async () => {
    bench = await startBench()
    impatient = await startBench({ identityLimitMs: TIMEOUT_MS })
  })
  after(async () => {
    await bench.stop()
    await impatient.stop()
  })

  const rows: [string, Behaviour | { me: Behaviour; globals: Behaviour }, Outcome][] = [
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
    ...[...ABSENCES, ...SILENCES].flatMap(
      ([name, behaviour]): [string, Behaviour | typeof good, Outcome][] => [
        [name, behaviour, 'unavailable'],
        // Directus 10 has no such route: its users are known, and none of them is staff by a static token.
        [
          `the user, but ${name} for the policies`,
          globals(behaviour),
          name.startsWith('404') ? 'accepted' : 'unavailable',
        ],
      ],
    ),
  ]
  for (const [name, behaviour, outcome] of rows) {
    test(`${name}: ${outcome}`, async () => {
      const isSilent = SILENCES.some(([silence]) => name.includes(silence))
      const { backend, store } = isSilent ? impatient : bench
      const fixed = newToken()
      const session = await backend.token({ id: user, session: newToken() })
      for (const token of [fixed, session]) store.set(token, behaviour)
      assert.deepEqual(await Promise.all([fixed, session].map((token) => outcomeOf(backend, token))), [
        outcome,
        outcome,
      ])
    })
  }

  test('a static token’s user is the store’s, in the header as in the cookie', async () => {
    const { backend, store } = bench
    const token = newToken()
    store.set(token, good)
    for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: `${COOKIE}=${token}` }]) {
      const reply = await request(`${backend.url}/api/v2/me`, 'GET', undefined, headers)
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
      const { backend, store } = bench
      const token = newToken()
      store.set(token, globals(behaviour))
      assert.equal((await ask(backend, token, '/api/v2/admin/usage')).status, status)
      assert.equal((await ask(backend, token)).status, 200)
    })
  }

  test('asks the store once for twenty concurrent requests, whatever the outcome', async () => {
    const { backend, store } = bench
    const answers: [Behaviour | typeof good, Outcome, string][] = [
      [good, 'accepted', newToken()],
      [refused, 'refused', newToken()],
      [json({}, 500), 'unavailable', newToken()],
      [good, 'accepted', await backend.token({ id: user, session: newToken() })],
    ]
    for (const [behaviour, outcome, token] of answers) {
      const { me: first, globals: second } =
        typeof behaviour === 'function' ? { me: behaviour, globals: behaviour } : behaviour
      const arrived = arrivals(backend, token, 20)
      // The store answers only when all twenty are waiting for it.
      store.set(token, {
        me: (response, incoming) => void arrived.then(() => first(response, incoming)),
        globals: second,
      })
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(backend, token)))
      assert.deepEqual(new Set(outcomes), new Set([outcome]))
      assert.equal(store.asked(token), 1)
    }
  })

  test('uses the last result while the store does not respond', async () => {
    const { backend, store, clock, stop } = await startBench({ identityLimitMs: TIMEOUT_MS })
    try {
      const rows: [string, Outcome][] = [
        [newToken(), 'accepted'],
        [await backend.token({ id: user, session: newToken() }), 'accepted'],
        [newToken(), 'refused'],
      ]
      const outcomes = () => Promise.all(rows.map(([token]) => outcomeOf(backend, token)))
      for (const [token, last] of rows) store.set(token, last === 'accepted' ? good : refused)
      const before = await outcomes()
      for (const [token] of rows) store.set(token, hang)
      clock.advance(299)
      assert.deepEqual(await outcomes(), before)
      assert.deepEqual(
        before,
        rows.map(([, last]) => last),
      )
    } finally {
      await stop()
    }
  })

  test('waits a second after a failure before it asks about the same token again', async () => {
    const { backend, store, clock, stop } = await startBench()
    const [token, other] = [newToken(), newToken()]
    store.set(token, json({}, 503))
    store.set(other, good)
    for (let i = 0; i < 3; i++) assert.equal(await outcomeOf(backend, token), 'unavailable')
    assert.equal(store.asked(token), 1)
    assert.equal(await outcomeOf(backend, other), 'accepted', 'others are not held up')
    store.set(token, good)
    clock.advance(1)
    assert.equal(await outcomeOf(backend, token), 'accepted')
    await stop()
  })

  test('never sends a token with an invalid signature or expiry to the store', async () => {
    const { backend, store } = bench
    const forged = `${(await backend.token({ id: user, session: 'x' })).split('.').slice(0, 2).join('.')}.${newToken()}`
    const expired = await backend.token({ id: user, session: 'x', exp: 1_000_000_000 })
    for (const token of [forged, expired]) {
      store.set(token, good)
      assert.equal(await outcomeOf(backend, token), 'refused')
      assert.equal(store.asked(token), 0)
    }
  })

  test('rejects a session that the store attributes to another user', async () => {
    const { backend, store } = bench
    const token = await backend.token({ id: user, session: newToken() })
    store.set(token, knows(newUser()))
    assert.equal(await outcomeOf(backend, token), 'refused')
  })

  test('does not ask the store about a token without a session', async () => {
    const { backend, store } = bench
    const token = await backend.token({ id: user })
    store.set(token, refused)
    assert.equal(await outcomeOf(backend, token), 'accepted')
    assert.equal(store.asked(token), 0)
  })

  test('takes staff from the claim of a session token, not from the store', async () => {
    const { backend, store } = bench
    const claimed = await backend.token({ id: user, session: newToken(), admin_access: true })
    const unclaimed = await backend.token({ id: user, session: newToken(), admin_access: false })
    store.set(claimed, knows(user, false))
    store.set(unclaimed, knows(user, true))
    assert.equal((await ask(backend, claimed, '/api/v2/admin/usage')).status, 200)
    assert.equal((await ask(backend, unclaimed, '/api/v2/admin/usage')).status, 403)
  })
})

/** Resolves when so many requests with this token have reached the backend. */
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
  let bench: Bench
  before(async () => {
    bench = await startBench()
  })
  after(() => bench.stop())

  /** A static token and a session, which must fare alike. */
  const bothKinds = async () => {
    const exp = Math.floor(bench.clock.now() / 1000) + 86_400
    return [newToken(), await bench.backend.token({ id: user, session: newToken(), exp })]
  }

  test('a good answer counts for 30 s', async () => {
    const { backend, store, clock } = bench
    for (const token of await bothKinds()) {
      store.set(token, good)
      assert.equal(await outcomeOf(backend, token), 'accepted')
      clock.advance(29.999)
      store.set(token, refused)
      assert.equal(await outcomeOf(backend, token), 'accepted')
      assert.equal(store.asked(token), 1)
      clock.advance(0.001)
      assert.equal(await outcomeOf(backend, token), 'refused')
      assert.equal(store.asked(token), 2)
    }
  })

  test('a bad answer counts for 5 s', async () => {
    const { backend, store, clock } = bench
    for (const token of await bothKinds()) {
      store.set(token, refused)
      assert.equal(await outcomeOf(backend, token), 'refused')
      clock.advance(4.999)
      store.set(token, good)
      assert.equal(await outcomeOf(backend, token), 'refused')
      assert.equal(store.asked(token), 1)
      clock.advance(0.001)
      assert.equal(await outcomeOf(backend, token), 'accepted')
      assert.equal(store.asked(token), 2)
    }
  })

  test('one token’s answer says nothing of another’s', async () => {
    const { backend, store } = bench
    const token = newToken()
    store.set(token, good)
    assert.equal(await outcomeOf(backend, token), 'accepted')
    for (const other of [`${token}x`, token.slice(0, -1), token.toUpperCase(), `x${token}`]) {
      assert.equal(await outcomeOf(backend, other), 'refused')
    }
  })

  test('while the store is away, its last word counts for 5 min; then it is unknown who asks', async () => {
    const { backend, store, clock } = bench
    const rows: { token: string; last: Outcome; absence: Behaviour; name: string }[] = []
    for (const [name, absence] of ABSENCES) {
      for (const token of await bothKinds()) rows.push({ token, last: 'accepted', absence, name })
      rows.push({ token: newToken(), last: 'refused', absence, name })
    }
    const assertAll = async (expected: (row: (typeof rows)[number]) => Outcome) => {
      const outcomes = await Promise.all(rows.map(({ token }) => outcomeOf(backend, token)))
      assert.deepEqual(
        rows.map(({ name }, index) => [name, outcomes[index]]),
        rows.map((row) => [row.name, expected(row)]),
      )
    }
    for (const { token, last } of rows) store.set(token, last === 'accepted' ? good : refused)
    await assertAll(({ last }) => last)

    for (const { token, absence } of rows) store.set(token, absence)
    clock.advance(31)
    await assertAll(({ last }) => last)
    clock.advance(300 - 31)
    await assertAll(({ last }) => last)
    clock.advance(1)
    await assertAll(() => 'unavailable')

    clock.advance(1)
    for (const { token, last } of rows) store.set(token, last === 'accepted' ? good : refused)
    await assertAll(({ last }) => last)
  })

  test('a refusal is the last word, too: an outage after it brings no token back', async () => {
    const { backend, store, clock } = bench
    for (const token of await bothKinds()) {
      store.set(token, good)
      assert.equal(await outcomeOf(backend, token), 'accepted')
      clock.advance(30)
      store.set(token, refused)
      assert.equal(await outcomeOf(backend, token), 'refused')
      store.set(token, json({}, 503))
      for (const seconds of [1, 10, 60, 200, 600]) {
        clock.advance(seconds)
        assert.notEqual(await outcomeOf(backend, token), 'accepted')
      }
    }
  })

  test('an outage does not lengthen the 5 min by being asked about', async () => {
    const { backend, store, clock } = bench
    const token = newToken()
    store.set(token, good)
    assert.equal(await outcomeOf(backend, token), 'accepted')
    store.set(token, reset)
    for (let minute = 0; minute < 5; minute += 1) {
      clock.advance(60)
      assert.equal(await outcomeOf(backend, token), 'accepted')
    }
    clock.advance(1)
    assert.equal(await outcomeOf(backend, token), 'unavailable')
  })
})

test('with IDENTITY_CHECK_SESSIONS off, sessions are believed without asking', async () => {
  const { backend, store, stop } = await startBench({ checkSessions: false })
  try {
    const session = await backend.token({ id: user, session: newToken() })
    store.set(session, refused)
    assert.equal(await outcomeOf(backend, session), 'accepted')
    assert.equal(store.asked(session), 0)
    assert.equal(await outcomeOf(backend, newToken()), 'refused')
  } finally {
    await stop()
  }
})

describe('with IDENTITY_CONFIRM_STAFF on', () => {
  let bench: Bench
  before(async () => {
    bench = await startBench({ confirmStaff: true })
  })
  after(() => bench.stop())

  const rows: [string, boolean, Behaviour | typeof good, [number, string | undefined]][] = [
    ['claim and store say yes', true, knows(user, true), [200, undefined]],
    ['the store says no', true, knows(user, false), [403, 'staff_required']],
    [
      'the store says "true"',
      true,
      globals(json({ data: { admin_access: 'true' } })),
      [403, 'staff_required'],
    ],
    ['the store refuses the token', true, refused, [403, 'staff_required']],
    ['only the store says yes', false, knows(user, true), [403, 'staff_required']],
    ['the store is away', true, json({}, 500), [503, 'identity_unavailable']],
    ['the store is away for the policies', true, globals(reset), [503, 'identity_unavailable']],
  ]
  for (const [name, claim, behaviour, expected] of rows) {
    test(`${name}: ${expected[0]}`, async () => {
      const { backend, store } = bench
      const token = await backend.token({ id: user, admin_access: claim, jti: newToken() })
      store.set(token, behaviour)
      for (const path of ['/api/v2/admin/usage', '/api/v2/admin/organisations']) {
        const reply = await ask(backend, token, path)
        assert.deepEqual([reply.status, reply.body.code], expected)
      }
      // What does not exist is told to staff alone.
      const unknown = await ask(backend, token, '/api/v2/admin/nothing')
      assert.equal(unknown.status, expected[0] === 200 ? 404 : expected[0])
    })
  }

  test('other routes do not ask', async () => {
    const { backend, store } = bench
    const token = await backend.token({ id: user, admin_access: true, jti: newToken() })
    store.set(token, hang)
    assert.equal(await outcomeOf(backend, token), 'accepted')
    assert.equal(store.asked(token), 0)
  })

  test('staff who are no longer staff at the store are none here after 30 s', async () => {
    const { backend, store, clock } = bench
    const token = await backend.token({ id: user, admin_access: true, jti: newToken() })
    const status = async () => (await ask(backend, token, '/api/v2/admin/usage')).status
    store.set(token, knows(user, true))
    assert.equal(await status(), 200)
    store.set(token, knows(user, false))
    clock.advance(30)
    assert.equal(await status(), 403)
  })
})

test('no token and no part of one reaches the log, whatever happens to it', async () => {
  const lines: string[] = []
  const log = createLog('debug', { write: (line: string) => void lines.push(line) })
  const { backend, store, clock, stop } = await startBench({ log, confirmStaff: true })
  try {
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
          for (const path of ['/api/v2/me', '/api/v2/admin/usage', `/api/v2/me?access_token=${token}`]) {
            const reply = await request(`${backend.url}${path}`, 'GET', undefined, headers)
            assert.ok(!reply.text.includes(token), 'nor is it echoed')
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
  } finally {
    await stop()
  }
})

describe('with the embedded store', () => {
  let clock: OwnClock
  let backend: TestBackend
  let admin: string
  before(async () => {
    // It stands still: made any earlier, it would take the store's tokens for those of the future.
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

  test('the cookie of a login works at once, and within 30 s of the logout no longer', async () => {
    const opened = await login({ ...backend.admin, mode: 'session' })
    const line = opened.headers.getSetCookie().find((cookie) => cookie.startsWith(`${COOKIE}=`)) ?? ''
    const session = line.slice(COOKIE.length + 1, line.indexOf(';'))
    const first = await withCookie(session)
    assert.deepEqual(
      [first.status, first.body.user.email, first.body.staff],
      [200, backend.admin.email, true],
    )
    assert.equal((await withCookie(session, '/api/v2/admin/usage')).status, 200)

    const ended = await request(
      `${backend.identityUrl}/auth/logout`,
      'POST',
      { mode: 'session' },
      { cookie: `${COOKIE}=${session}` },
    )
    assert.equal(ended.status, 204)
    clock.advance(31)
    assert.equal((await withCookie(session)).status, 401)
    assert.equal((await ask(backend, session)).status, 401)
  })

  test('the access token of a login works as a bearer token', async () => {
    const reply = await ask(backend, admin, '/api/v2/me')
    assert.deepEqual(
      [reply.status, reply.body.user.email, reply.body.staff],
      [200, backend.admin.email, true],
    )
  })

  test('a static token is its user, and staff by the store’s policies as they are now', async () => {
    const { role } = (await atStore('GET', '/users/me')).body.data
    const plain = newToken()
    const privileged = newToken()
    const one = (await atStore('POST', '/users', { email: 'one@example.com', token: plain })).body.data
    const two = (await atStore('POST', '/users', { token: privileged, role })).body.data
    const usage = async (token: string) => (await ask(backend, token, '/api/v2/admin/usage')).status

    const asOne = await ask(backend, plain, '/api/v2/me')
    assert.deepEqual(
      [asOne.body.user.id, asOne.body.user.email, asOne.body.staff],
      [one.id, 'one@example.com', false],
    )
    const asTwo = await ask(backend, privileged, '/api/v2/me')
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
    ['the token is taken away', (id) => atStore('PATCH', `/users/${id}`, { token: null })],
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

  test('a session ends with its user’s suspension', async () => {
    const email = 'three@example.com'
    const password = newToken()
    const { id } = (await atStore('POST', '/users', { email, password })).body.data
    const opened = await login({ email, password, mode: 'session' })
    const session = /service_session_token=([^;]+)/.exec(opened.headers.getSetCookie().join())?.[1] ?? ''
    assert.equal((await withCookie(session)).body.user.id, id)
    await atStore('PATCH', `/users/${id}`, { status: 'suspended' })
    clock.advance(31)
    assert.equal((await withCookie(session)).status, 401)
  })
})
