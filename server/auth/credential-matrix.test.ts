import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { newUser, startBackend } from '../../test/support/backend.ts'
import { type HeaderLines, sendLines } from '../../test/support/wire.ts'

const NAME = 'service_session_token'
const users = { A: newUser(), B: newUser() }
const tokens = { A: '', B: '', expired: '', wrongKey: '', unknown: 'an-unknown-static-token' }

const backend = await startBackend()
tokens.A = await backend.token({ id: users.A })
tokens.B = await backend.token({ id: users.B })
tokens.expired = await backend.token({ id: users.A, exp: Math.floor(Date.now() / 1000) - 3600 })
// Its signature is another token's.
tokens.wrongKey = `${tokens.A.slice(0, tokens.A.lastIndexOf('.'))}${tokens.B.slice(tokens.B.lastIndexOf('.'))}`
after(() => backend.stop())

/** What one place of the request contains. */
type Says = 'nothing' | 'A' | 'B' | 'bad' | 'two'
type Place = { name: string; says: Says; lines: () => HeaderLines }

const cookie = (name: string, says: Says, ...headers: (() => string)[]): Place => ({
  name,
  says,
  lines: () => headers.map((value) => ['Cookie', value()]),
})
const authorization = (name: string, says: Says, ...headers: (() => string)[]): Place => ({
  name,
  says,
  lines: () => headers.map((value) => ['Authorization', value()]),
})

const cookies: Place[] = [
  cookie('absent', 'nothing'),
  cookie('empty', 'nothing', () => `${NAME}=`),
  cookie('blank', 'nothing', () => `${NAME}=  ; other=1`),
  cookie('of A', 'A', () => `${NAME}=${tokens.A}`),
  cookie('of A among others', 'A', () => `theme=dark; ${NAME}=${tokens.A};lang=nl`),
  cookie('of B', 'B', () => `${NAME}=${tokens.B}`),
  cookie('with a foreign signature', 'bad', () => `${NAME}=${tokens.wrongKey}`),
  cookie('unknown to the store', 'bad', () => `${NAME}=${tokens.unknown}`),
  cookie('expired', 'bad', () => `${NAME}=${tokens.expired}`),
  cookie('twice in one header', 'two', () => `${NAME}=${tokens.A}; ${NAME}=${tokens.B}`),
  cookie('twice the same', 'two', () => `${NAME}=${tokens.A}; ${NAME}=${tokens.A}`),
  cookie('first empty, then of A', 'two', () => `${NAME}=; ${NAME}=${tokens.A}`),
  cookie(
    'in two headers',
    'two',
    () => `${NAME}=${tokens.A}`,
    () => `${NAME}=${tokens.A}`,
  ),
]

const bearers: Place[] = [
  authorization('absent', 'nothing'),
  authorization('an empty header', 'nothing', () => ''),
  authorization('the scheme alone', 'nothing', () => 'Bearer'),
  authorization('the scheme and blanks', 'nothing', () => 'Bearer   '),
  authorization('of A', 'A', () => `Bearer ${tokens.A}`),
  authorization('of B', 'B', () => `Bearer ${tokens.B}`),
  authorization('of A, scheme in lower case', 'A', () => `bearer ${tokens.A}`),
  authorization('of A, scheme in upper case', 'A', () => `BEARER ${tokens.A}`),
  authorization('of A, extra blanks', 'A', () => `  Bearer    ${tokens.A}  `),
  authorization('with a foreign signature', 'bad', () => `Bearer ${tokens.wrongKey}`),
  authorization('unknown to the store', 'bad', () => `Bearer ${tokens.unknown}`),
  authorization('expired', 'bad', () => `Bearer ${tokens.expired}`),
  authorization('no scheme', 'nothing', () => tokens.A),
  authorization('the scheme grown together', 'nothing', () => `Bearer${tokens.A}`),
  authorization('Basic', 'nothing', () => `Basic ${Buffer.from(`admin:${tokens.A}`).toString('base64')}`),
  authorization('Basic with a token', 'nothing', () => `Basic ${tokens.A}`),
  authorization('two in one, by a comma', 'bad', () => `Bearer ${tokens.A}, Bearer ${tokens.B}`),
  authorization('two in one, by a blank', 'bad', () => `Bearer ${tokens.A} ${tokens.A}`),
  authorization(
    'two headers',
    'two',
    () => `Bearer ${tokens.A}`,
    () => `Bearer ${tokens.B}`,
  ),
  authorization(
    'two headers, the same',
    'two',
    () => `Bearer ${tokens.A}`,
    () => `Bearer ${tokens.A}`,
  ),
  authorization(
    'two headers, one of them Basic',
    'two',
    () => `Basic eDp5`,
    () => `Bearer ${tokens.A}`,
  ),
]

/** docs/authentication.md, "Which credential counts". */
function expected(inCookie: Says, inHeader: Says): 'A' | 'B' | 401 {
  if (inCookie === 'two' || inHeader === 'two') return 401
  const decisive = inCookie === 'nothing' ? inHeader : inCookie
  return decisive === 'A' || decisive === 'B' ? decisive : 401
}

const REFUSAL = {
  type: '/api/problems#unauthenticated',
  title: 'Not authenticated',
  status: 401,
  detail: 'The request has no valid access token or session. Sign in and try again.',
  code: 'unauthenticated',
  request_id: 'matrix',
}

/** The user that the backend recognises. All error responses must be equal, byte for byte. */
async function whoIs(lines: HeaderLines, path = '/api/v2/me'): Promise<'A' | 'B' | 401> {
  const reply = await sendLines(backend.url, 'GET', path, [['X-Request-Id', 'matrix'], ...lines])
  if (reply.status === 401) {
    assert.equal(reply.text, JSON.stringify(REFUSAL))
    assert.equal(reply.headers['www-authenticate'], 'Bearer')
    assert.equal(reply.headers['content-type'], 'application/problem+json')
    assert.deepEqual([reply.headers['set-cookie'], reply.headers['cache-control']], [undefined, 'no-store'])
    return 401
  }
  assert.equal(reply.status, 200, reply.text)
  return reply.body.user.id === users.A ? 'A' : reply.body.user.id === users.B ? 'B' : assert.fail(reply.text)
}

for (const inCookie of cookies) {
  describe(`cookie ${inCookie.name}`, () => {
    for (const inHeader of bearers) {
      const outcome = expected(inCookie.says, inHeader.says)
      test(`bearer ${inHeader.name}: ${outcome}`, async () => {
        const [cookieLines, bearerLines] = [inCookie.lines(), inHeader.lines()]
        assert.equal(await whoIs([...cookieLines, ...bearerLines]), outcome)
        // The order of header lines has no say.
        if (cookieLines.length > 0 && bearerLines.length > 0)
          assert.equal(await whoIs([...bearerLines, ...cookieLines]), outcome)
      })
    }
  })
}

describe('ignores tokens in other places', () => {
  const elsewhere: [string, () => HeaderLines, (() => string)?][] = [
    ['access_token in the query', () => [], () => `?access_token=${tokens.A}`],
    ['token in the query', () => [], () => `?token=${tokens.A}`],
    ['the cookie’s name in the query', () => [], () => `?${NAME}=${tokens.A}`],
    ['a header of the cookie’s name', () => [[NAME, tokens.A]]],
    ['Proxy-Authorization', () => [['Proxy-Authorization', `Bearer ${tokens.A}`]]],
    ['X-Access-Token', () => [['X-Access-Token', tokens.A]]],
    ['Cookie2', () => [['Cookie2', `${NAME}=${tokens.A}`]]],
  ]
  for (const [name, lines, query] of elsewhere) {
    test(name, async () => {
      const reply = await sendLines(backend.url, 'GET', `/api/v2/me${query?.() ?? ''}`, lines())
      // Unknown parameters are refused as input, but only once it is known who asks.
      assert.equal(reply.status, 401)
      assert.equal(reply.body.code, 'unauthenticated')
    })
  }
})

describe('accepts the session cookie only under its exact name', () => {
  const lookAlikes = [
    `x${NAME}`,
    `${NAME}x`,
    `__Host-${NAME}`,
    `__Secure-${NAME}`,
    `${NAME}.sig`,
    `${NAME}[]`,
    NAME.toUpperCase(),
    `${NAME} `,
    `"${NAME}"`,
    encodeURIComponent(NAME).replace('_', '%5F'),
    'directus_session_token',
  ]
  for (const name of lookAlikes) {
    test(`${JSON.stringify(name)} neither signs in nor stands in the way`, async () => {
      const bait: HeaderLines = [['Cookie', `${name}=${tokens.A}`]]
      assert.equal(await whoIs(bait), 401)
      assert.equal(await whoIs([...bait, ['Authorization', `Bearer ${tokens.B}`]]), 'B')
      assert.equal(await whoIs([['Cookie', `${name}=${tokens.A}; ${NAME}=${tokens.B}`]]), 'B')
    })
  }

  test('the name inside the value of another cookie is part of that value', async () => {
    assert.equal(await whoIs([['Cookie', `note=${NAME}=${tokens.A}`]]), 401)
  })
})

describe('uses the value of the cookie as it was sent', () => {
  const rows: [string, () => string, 'A' | 401][] = [
    ['in quotes', () => `"${tokens.A}"`, 401],
    ['percent-encoded', () => tokens.A.replaceAll('.', '%2E'), 401],
    ['with a Bearer prefix', () => `Bearer ${tokens.A}`, 401],
    ['with a comma and more', () => `${tokens.A}, ${NAME}=${tokens.A}`, 401],
    ['with a blank before it', () => ` ${tokens.A}`, 401],
    ['with a blank behind it, which belongs to the header', () => `${tokens.A}  ; other=1`, 'A'],
  ]
  for (const [name, value, outcome] of rows) {
    test(`${name}: ${outcome}`, async () => {
      assert.equal(await whoIs([['Cookie', `${NAME}=${value()}`]]), outcome)
    })
  }
})

describe('rejects bytes that no token has, instead of reporting an unavailable store', () => {
  const rows: [string, string][] = [
    ['beyond ASCII', 'tok\u00e9n\u0080\u00ff'],
    ['a tab', 'to\tken'],
    ['quotes and brackets', '"<>[]{}\\'],
    ['the word of a mask', '**********'],
    ['dots alone', '..'],
    ['a dot', '.'],
    ['many dots', '.'.repeat(5000)],
  ]
  for (const [name, token] of rows) {
    test(name, async () => {
      assert.equal(await whoIs([['Authorization', `Bearer ${token}`]]), 401)
      assert.equal(await whoIs([['Cookie', `${NAME}=${token}`]]), 401)
    })
  }
})

test('the cookie’s name is the configured one, and then no other', async () => {
  const renamed = await startBackend({ cookieName: 'my.session' })
  try {
    const token = await renamed.token({ id: users.A })
    const status = async (line: string) =>
      (await sendLines(renamed.url, 'GET', '/api/v2/me', [['Cookie', line]])).status
    assert.deepEqual(
      await Promise.all(
        [`my.session=${token}`, `${NAME}=${token}`, `myxsession=${token}`].map((line) => status(line)),
      ),
      [200, 401, 401],
    )
  } finally {
    await renamed.stop()
  }
})
