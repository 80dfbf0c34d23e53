import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { newUser, startBackend } from '../../test/support/backend.ts'
import { type HeaderLines, sendLines } from '../../test/support/wire.ts'

const NAME = 'service_session_token'
const users = { A: newUser(), B: newUser() }

const backend = await startBackend()
after(() => backend.stop())
const [A, B] = [await backend.token({ id: users.A }), await backend.token({ id: users.B })]
const EXPIRED = await backend.token({ id: users.A, exp: Math.floor(Date.now() / 1000) - 3600 })
const WITH_OTHER_SIGNATURE = `${A.slice(0, A.lastIndexOf('.'))}${B.slice(B.lastIndexOf('.'))}`
const UNKNOWN = 'an-unknown-static-token'

/** The credential in a header. `bad` is invalid, `two` is more than one. */
type Credential = 'nothing' | 'A' | 'B' | 'bad' | 'two'
type RequestHeader = { name: string; credential: Credential; lines: HeaderLines }

const headerNamed =
  (header: string) =>
  (name: string, credential: Credential, ...values: string[]): RequestHeader => ({
    name,
    credential,
    lines: values.map((value) => [header, value]),
  })
const cookie = headerNamed('Cookie')
const authorization = headerNamed('Authorization')

const cookies: RequestHeader[] = [
  cookie('absent', 'nothing'),
  cookie('empty', 'nothing', `${NAME}=`),
  cookie('blank', 'nothing', `${NAME}=  ; other=1`),
  cookie('of A', 'A', `${NAME}=${A}`),
  cookie('of A among others', 'A', `theme=dark; ${NAME}=${A};lang=nl`),
  cookie('of B', 'B', `${NAME}=${B}`),
  cookie('with a foreign signature', 'bad', `${NAME}=${WITH_OTHER_SIGNATURE}`),
  cookie('unknown to the store', 'bad', `${NAME}=${UNKNOWN}`),
  cookie('expired', 'bad', `${NAME}=${EXPIRED}`),
  cookie('twice in one header', 'two', `${NAME}=${A}; ${NAME}=${B}`),
  cookie('twice the same', 'two', `${NAME}=${A}; ${NAME}=${A}`),
  cookie('first empty, then of A', 'two', `${NAME}=; ${NAME}=${A}`),
  cookie('in two headers', 'two', `${NAME}=${A}`, `${NAME}=${A}`),
]

const bearers: RequestHeader[] = [
  authorization('absent', 'nothing'),
  authorization('an empty header', 'nothing', ''),
  authorization('the scheme alone', 'nothing', 'Bearer'),
  authorization('the scheme and blanks', 'nothing', 'Bearer   '),
  authorization('of A', 'A', `Bearer ${A}`),
  authorization('of B', 'B', `Bearer ${B}`),
  authorization('of A, scheme in lower case', 'A', `bearer ${A}`),
  authorization('of A, scheme in upper case', 'A', `BEARER ${A}`),
  authorization('of A, extra blanks', 'A', `  Bearer    ${A}  `),
  authorization('with a foreign signature', 'bad', `Bearer ${WITH_OTHER_SIGNATURE}`),
  authorization('unknown to the store', 'bad', `Bearer ${UNKNOWN}`),
  authorization('expired', 'bad', `Bearer ${EXPIRED}`),
  authorization('no scheme', 'nothing', A),
  authorization('no space after the scheme', 'nothing', `Bearer${A}`),
  authorization('Basic', 'nothing', `Basic ${Buffer.from(`admin:${A}`).toString('base64')}`),
  authorization('Basic with a token', 'nothing', `Basic ${A}`),
  authorization('two in one, by a comma', 'bad', `Bearer ${A}, Bearer ${B}`),
  authorization('two in one, by a blank', 'bad', `Bearer ${A} ${A}`),
  authorization('two headers', 'two', `Bearer ${A}`, `Bearer ${B}`),
  authorization('two headers, the same', 'two', `Bearer ${A}`, `Bearer ${A}`),
  authorization('two headers, one of them Basic', 'two', `Basic eDp5`, `Bearer ${A}`),
]

/** docs/authentication.md, "Precedence of credentials". */
function expected(inCookie: Credential, inHeader: Credential): 'A' | 'B' | 401 {
  if (inCookie === 'two' || inHeader === 'two') return 401
  const decisive = inCookie === 'nothing' ? inHeader : inCookie
  return decisive === 'A' || decisive === 'B' ? decisive : 401
}

const UNAUTHENTICATED = {
  type: '/api/problems#unauthenticated',
  title: 'Not authenticated',
  status: 401,
  detail: 'The request has no valid access token or session. Sign in and try again.',
  code: 'unauthenticated',
  request_id: 'matrix',
}

/** The user that the backend recognises. All error responses must be equal, byte for byte. */
async function signedInAs(lines: HeaderLines, path = '/api/v2/me'): Promise<'A' | 'B' | 401> {
  const reply = await sendLines(backend.url, 'GET', path, [['X-Request-Id', 'matrix'], ...lines])
  if (reply.status === 401) {
    assert.equal(reply.text, JSON.stringify(UNAUTHENTICATED))
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
      const outcome = expected(inCookie.credential, inHeader.credential)
      test(`bearer ${inHeader.name}: ${outcome}`, async () => {
        const [cookieLines, bearerLines] = [inCookie.lines, inHeader.lines]
        assert.equal(await signedInAs([...cookieLines, ...bearerLines]), outcome)
        // The order of the headers makes no difference.
        if (cookieLines.length > 0 && bearerLines.length > 0)
          assert.equal(await signedInAs([...bearerLines, ...cookieLines]), outcome)
      })
    }
  })
}

describe('ignores tokens in other places', () => {
  const elsewhere: [string, HeaderLines, string?][] = [
    ['access_token in the query', [], `?access_token=${A}`],
    ['token in the query', [], `?token=${A}`],
    ['the name of the cookie in the query', [], `?${NAME}=${A}`],
    ['a header with the name of the cookie', [[NAME, A]]],
    ['Proxy-Authorization', [['Proxy-Authorization', `Bearer ${A}`]]],
    ['X-Access-Token', [['X-Access-Token', A]]],
    ['Cookie2', [['Cookie2', `${NAME}=${A}`]]],
  ]
  for (const [name, lines, query = ''] of elsewhere) {
    test(name, async () => {
      const reply = await sendLines(backend.url, 'GET', `/api/v2/me${query}`, lines)
      // Unknown parameters are refused too, but after authentication.
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
    test(`${JSON.stringify(name)} is ignored`, async () => {
      const bait: HeaderLines = [['Cookie', `${name}=${A}`]]
      assert.equal(await signedInAs(bait), 401)
      assert.equal(await signedInAs([...bait, ['Authorization', `Bearer ${B}`]]), 'B')
      assert.equal(await signedInAs([['Cookie', `${name}=${A}; ${NAME}=${B}`]]), 'B')
    })
  }

  test('the name inside the value of another cookie is part of that value', async () => {
    assert.equal(await signedInAs([['Cookie', `note=${NAME}=${A}`]]), 401)
  })
})

describe('uses the value of the cookie as it was sent', () => {
  const rows: [string, string, 'A' | 401][] = [
    ['in quotes', `"${A}"`, 401],
    ['percent-encoded', A.replaceAll('.', '%2E'), 401],
    ['with a Bearer prefix', `Bearer ${A}`, 401],
    ['with a comma and more', `${A}, ${NAME}=${A}`, 401],
    ['with a blank before it', ` ${A}`, 401],
    ['with a blank after it, which belongs to the header', `${A}  ; other=1`, 'A'],
  ]
  for (const [name, value, outcome] of rows) {
    test(`${name}: ${outcome}`, async () =>
      assert.equal(await signedInAs([['Cookie', `${NAME}=${value}`]]), outcome))
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
      assert.equal(await signedInAs([['Authorization', `Bearer ${token}`]]), 401)
      assert.equal(await signedInAs([['Cookie', `${NAME}=${token}`]]), 401)
    })
  }
})

test('accepts only the configured name of the cookie', async (t) => {
  const renamed = await startBackend({ cookieName: 'my.session' })
  t.after(() => renamed.stop())
  const token = await renamed.token({ id: users.A })
  for (const [name, status] of [
    ['my.session', 200],
    [NAME, 401],
    ['myxsession', 401],
  ] as const) {
    const reply = await sendLines(renamed.url, 'GET', '/api/v2/me', [['Cookie', `${name}=${token}`]])
    assert.equal(reply.status, status, name)
  }
})
