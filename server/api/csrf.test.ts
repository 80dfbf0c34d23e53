import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { newUser, request, startBackend } from '../../test/support/backend.ts'
import { type HeaderLines, sendLines } from '../../test/support/wire.ts'

const COOKIE = 'service_session_token'
const DASHBOARD = 'https://dashboard.example.com'
const PUBLIC = 'https://parley.example.com'
const UNKNOWN = '01890000-0000-7000-8000-000000000000'

// The origin of PUBLIC_URL does not include its path.
const backend = await startBackend({ allowedOrigins: [DASHBOARD], publicUrl: `${PUBLIC}/behind/a/proxy` })
const owner = await backend.as(newUser())
const { token } = owner
const staffToken = await backend.token({ id: newUser(), admin_access: true })
const organisation = (await owner.post('/api/v2/organisations', { name: 'City' })).body.id
// A high tier, so that the many organisations made below stay within its limit.
await backend.database.pool.query(
  `insert into workspaces (id, organisation_id, name, tier) values (gen_random_uuid(), $1, 'W', 'guardian')`,
  [organisation],
)
after(() => backend.stop())

type Site = 'absent' | 'same-origin' | 'same-site' | 'cross-site' | 'none'
type Origin = 'absent' | 'allowed' | 'public' | 'other' | 'null'
type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'
type Credential = 'cookie' | 'bearer'

const SITES: Site[] = ['absent', 'same-origin', 'same-site', 'cross-site', 'none']
const ORIGINS: Record<Origin, string | undefined> = {
  absent: undefined,
  allowed: DASHBOARD,
  public: PUBLIC,
  other: 'https://evil.example.net',
  null: 'null',
}

/** docs/authentication.md, "Cross-site requests", row by row. */
function passes(site: Site, origin: Origin, method: Method, credential: Credential): boolean {
  const isUnsafe = method !== 'GET' && method !== 'HEAD'
  if (!isUnsafe || credential !== 'cookie') return true
  const isInList = origin === 'allowed' || origin === 'public'
  // `cross-site` or `none` is refused;
  if (site === 'cross-site' || site === 'none') return false
  // `same-origin` passes unless an Origin is sent that is not in the list;
  if (site === 'same-origin') return origin === 'absent' || isInList
  // `same-site` or no such header needs an Origin in the list; neither header: refused.
  return isInList
}

/** One request per method, and its status if the origin is accepted. */
const REQUESTS: Record<Method, { path: string; body?: unknown; status: number }> = {
  GET: { path: '/api/v2/organisations', status: 200 },
  HEAD: { path: '/api/v2/organisations', status: 200 },
  POST: { path: '/api/v2/organisations', body: { name: 'New' }, status: 201 },
  PATCH: { path: `/api/v2/organisations/${organisation}`, body: { name: 'City' }, status: 200 },
  // The origin is checked before the target.
  DELETE: { path: `/api/v2/organisations/${UNKNOWN}`, status: 404 },
}

const credentialLine = (credential: Credential, value = token): readonly [string, string] =>
  credential === 'cookie' ? ['Cookie', `${COOKIE}=${value}`] : ['Authorization', `Bearer ${value}`]

const pageLines = (site: string | undefined, origin: string | undefined): HeaderLines => [
  ...(site === undefined ? [] : [['Sec-Fetch-Site', site] as const]),
  ...(origin === undefined ? [] : [['Origin', origin] as const]),
]

async function count(): Promise<number> {
  const { rows } = await backend.database.pool.query('select count(*)::int as n from parley.organisations')
  return rows[0].n
}

for (const credential of ['cookie', 'bearer'] as const) {
  for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'] as const) {
    describe(`${method} by ${credential}`, () => {
      for (const site of SITES) {
        for (const [origin, value] of Object.entries(ORIGINS) as [Origin, string | undefined][]) {
          const isFine = passes(site, origin, method, credential)
          test(`Sec-Fetch-Site ${site}, Origin ${origin}: ${isFine ? 'passes' : 'refused'}`, async () => {
            const { path, body, status } = REQUESTS[method]
            const page = pageLines(site === 'absent' ? undefined : site, value)
            const lines = [credentialLine(credential), ...page]
            const before = method === 'POST' ? await count() : 0
            const reply = await sendLines(backend.url, method, path, lines, body)
            if (isFine) assert.equal(reply.status, status, reply.text)
            else assert.deepEqual([reply.status, reply.body.code], [403, 'csrf_rejected'])
            if (method === 'POST') assert.equal(await count(), before + (isFine ? 1 : 0))
          })
        }
      }
    })
  }
}

const change = (lines: HeaderLines) =>
  sendLines(backend.url, 'PATCH', REQUESTS.PATCH.path, lines, { name: 'City' })
const foreign = pageLines('cross-site', 'https://evil.example.net')

async function assertRejected(lines: HeaderLines): Promise<void> {
  const reply = await change([credentialLine('cookie'), ...lines])
  assert.deepEqual([reply.status, reply.body.code], [403, 'csrf_rejected'], JSON.stringify(lines))
}

describe('an origin must match exactly', () => {
  const lookAlikes = [
    '',
    'https://dashboard.example.com/',
    'https://dashboard.example.com:443',
    'https://dashboard.example.com:8443',
    'http://dashboard.example.com',
    'https://DASHBOARD.example.com',
    'https://dashboard.example.com.evil.net',
    'https://evil-dashboard.example.com',
    'https://x.dashboard.example.com',
    'https://example.com',
    'https://dashboard.example.com@evil.net',
    'https://dashboard-example.com',
    `${PUBLIC}/behind/a/proxy`,
    `${DASHBOARD}, ${DASHBOARD}`,
    `${DASHBOARD} https://evil.net`,
    '*',
  ]
  for (const origin of lookAlikes) {
    test(`refused: ${JSON.stringify(origin)}`, async () => {
      for (const site of [undefined, 'same-site', 'same-origin'])
        await assertRejected(pageLines(site, origin))
    })
  }
})

describe('Sec-Fetch-Site must be written as browsers send it', () => {
  const sites = [
    '',
    'Same-Origin',
    'SAME-ORIGIN',
    'same-origin ,',
    '"same-origin"',
    'same-origin, cross-site',
    'same-origin;v=1',
    'unknown',
  ]
  for (const site of sites) {
    test(`refused: ${JSON.stringify(site)}`, async () => {
      for (const origin of [undefined, DASHBOARD]) await assertRejected(pageLines(site, origin))
    })
  }

  test('two headers of a kind are refused, whichever comes first', async () => {
    const pairs: [HeaderLines, HeaderLines][] = [
      [pageLines('same-origin', undefined), pageLines('cross-site', undefined)],
      [pageLines(undefined, DASHBOARD), pageLines(undefined, 'https://evil.example.net')],
    ]
    for (const [one, other] of pairs) {
      await assertRejected([...one, ...other])
      await assertRejected([...other, ...one])
    }
  })

  test('a Referer does not replace an Origin', () => assertRejected([['Referer', `${DASHBOARD}/page`]]))
})

describe('the origin is checked only if the cookie is the credential', () => {
  const rows: [string, HeaderLines, number][] = [
    ['cookie and bearer: the cookie counts', [credentialLine('cookie'), credentialLine('bearer')], 403],
    ['an empty cookie and bearer', [['Cookie', `${COOKIE}=`], credentialLine('bearer')], 200],
    ['another cookie and bearer', [['Cookie', 'theme=dark'], credentialLine('bearer')], 200],
  ]
  for (const [name, lines, status] of rows) {
    test(`${name}: ${status}`, async () =>
      assert.equal((await change([...lines, ...foreign])).status, status))
  }
})

describe('the origin is checked after the token and before everything else', () => {
  const tier = { tier: 'guardian', reason: 'test' }
  const tierPath = `/api/v2/admin/workspaces/${UNKNOWN}/tier`
  const rows: [name: string, method: string, path: string, body: unknown, token: string][] = [
    ['an unknown target', 'PATCH', `/api/v2/organisations/${UNKNOWN}`, {}, token],
    ['an id that is not a UUID', 'DELETE', '/api/v2/organisations/x', undefined, token],
    ['an invalid body', 'POST', '/api/v2/organisations', { x: 1 }, token],
    ['a staff route, by staff', 'PUT', tierPath, tier, staffToken],
    ['a staff route, by others', 'PUT', tierPath, tier, token],
    ['an unknown staff route', 'POST', '/api/v2/admin/nothing', undefined, staffToken],
    ['another method', 'DELETE', '/api/v2/admin/usage', undefined, staffToken],
    ['a method in the query', 'POST', '/api/v2/organisations?_method=GET', { name: 'x' }, token],
    ['an invalid cookie', 'POST', '/api/v2/organisations', { name: 'x' }, 'bad'],
  ]
  for (const [name, method, path, body, value] of rows) {
    const expected = value === 'bad' ? [401, 'unauthenticated'] : [403, 'csrf_rejected']
    test(`${name}: ${expected.join(' ')}`, async () => {
      const overrides: HeaderLines = [
        ['X-HTTP-Method-Override', 'GET'],
        ['X-Method-Override', 'GET'],
      ]
      for (const more of [[], overrides]) {
        const lines = [credentialLine('cookie', value), ...foreign, ...more]
        const reply = await sendLines(backend.url, method, path, lines, body)
        assert.deepEqual([reply.status, reply.body.code], expected)
      }
    })
  }

  test('PUT from an allowed page reaches the route', async () => {
    const lines = [credentialLine('cookie', staffToken), ...pageLines('same-site', DASHBOARD)]
    assert.equal((await sendLines(backend.url, 'PUT', tierPath, lines, tier)).status, 404)
  })
})

test('checks the origin of a static token in the cookie, too', async () => {
  const fixed = 'a-static-token-in-a-cookie'
  const { access_token } = (await request(`${backend.identityUrl}/auth/login`, 'POST', backend.admin)).body
  const authorization = `Bearer ${access_token}`
  const made = await request(`${backend.identityUrl}/users`, 'POST', { token: fixed }, { authorization })
  assert.equal(made.status, 200)
  const post = (credential: Credential) =>
    sendLines(backend.url, 'POST', '/api/v2/organisations', [credentialLine(credential, fixed), ...foreign], {
      name: 'x',
    })
  assert.equal((await post('cookie')).body.code, 'csrf_rejected')
  assert.equal((await post('bearer')).status, 201)
})
