import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { SignJWT } from 'jose'
import { newUser, request, startBackend } from '../../../test/support/backend.ts'
import { encoded, forge, HS256_HEADER, hmac, type Json, signed } from '../../../test/support/forge-token.ts'
import { ownClock } from '../../../test/support/own-clock.ts'
import { json, scriptedServer } from '../../../test/support/servers/scripted-server.ts'

const clock = ownClock()
const NOW = Math.floor(clock.now() / 1000)
const HOUR = 3600
const user = newUser()

let fetchesOfTrap = 0
const backend = await startBackend({ clock })
const trap = await scriptedServer((response, incoming) => {
  fetchesOfTrap += 1
  json({ keys: [{ kty: 'oct', kid: 'trap', k: Buffer.from('trap').toString('base64url') }] })(
    response,
    incoming,
  )
})
after(async () => {
  await backend.stop()
  await trap.stop()
})

/** The claims of an access token of Directus. */
const claims = {
  id: user,
  role: null,
  app_access: true,
  admin_access: false,
  iat: NOW,
  exp: NOW + 900,
  iss: 'directus',
}
const without = (name: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name))
/** The claim is missing, but inherited from a prototype. */
const inherits = (name: string, prototype: string): string =>
  `${JSON.stringify(without(name)).slice(0, -1)},"__proto__":${prototype}}`
/** The claims as JSON text with one value written by hand. */
const withRaw = (name: string, value: string): string =>
  `${JSON.stringify(without(name)).slice(0, -1)},"${name}":${value}}`

const rightly = (header: Json, payload: Json): string => forge(header, payload, hmac(backend.secret))
const byKey = (key: string | Buffer): string => forge(HS256_HEADER, claims, hmac(key))
const byStore = (payload: Json): string => rightly(HS256_HEADER, payload)

const ask = (token: string, path = '/api/v2/me') =>
  request(`${backend.url}${path}`, 'GET', undefined, { authorization: `Bearer ${token}` })

async function assertPasses(token: string, as = user): Promise<void> {
  const reply = await ask(token)
  assert.deepEqual([reply.status, reply.body?.user?.id], [200, as], 'the control must pass')
}

async function assertRefused(token: string): Promise<void> {
  const reply = await ask(token)
  assert.deepEqual([reply.status, reply.body?.code], [401, 'unauthenticated'])
  assert.equal(reply.headers.get('www-authenticate'), 'Bearer')
}

/** The attack, and beside it a token that differs in that one thing: without it, a rejection proves nothing. */
type Row = [attack: string, bad: string | Promise<string>, control?: string | Promise<string>]

function refuses(group: string, rows: Row[]): void {
  describe(group, () => {
    for (const [attack, bad, control = byStore(claims)] of rows) {
      test(`refused: ${attack}`, async () => {
        assert.notEqual(await bad, await control)
        await assertRefused(await bad)
        await assertPasses(await control)
      })
    }
  })
}

/** One row for each of these JSON values, separated by spaces. */
const claimIs = (claim: string, values: string): Row[] =>
  values.split(' ').map((value) => {
    const shown = value.length > 80 ? `of ${value.length - 2} characters` : value
    return [`${claim} ${shown}`, byStore(withRaw(claim, value))]
  })

test('a token as the store signs it passes, made by hand or by the library', async () => {
  await assertPasses(byStore(claims))
  await assertPasses(await backend.token({ id: user, iat: NOW, exp: NOW + 900 }))
})

const byLibrary = (alg: string): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(new TextEncoder().encode(backend.secret))
const bytesOf = (text: string): Buffer => Buffer.from(text, 'base64url')

const NONES = ['none', 'None', 'NONE', 'nOnE', 'none ', ' none', 'none\u0000', 'nоne']
const EMPTY = () => ''
refuses('no algorithm', [
  ...NONES.flatMap((alg): Row[] => [
    [`alg ${JSON.stringify(alg)} without signature`, forge({ alg, typ: 'JWT' }, claims, EMPTY)],
    [`alg ${JSON.stringify(alg)} with a good HMAC`, rightly({ alg, typ: 'JWT' }, claims)],
  ]),
  ['alg missing', rightly({ typ: 'JWT' }, claims)],
  ...'"" null false ["HS256"] "hs256" "__proto__"'
    .split(' ')
    .map((alg): Row => [`alg ${alg}`, rightly(`{"alg":${alg}}`, claims)]),
  ['alg given twice, none last', forge('{"alg":"HS256","alg":"none"}', claims, EMPTY)],
  ['HS256 with an empty signature', forge(HS256_HEADER, claims, EMPTY)],
])

refuses('another algorithm with the right key', [
  ['HS384', forge({ alg: 'HS384' }, claims, hmac(backend.secret, 'sha384'))],
  ['HS512', forge({ alg: 'HS512' }, claims, hmac(backend.secret, 'sha512'))],
  ['HS512, made by the library', byLibrary('HS512'), byLibrary('HS256')],
  ['HS256 that names HS512', rightly({ alg: 'HS512' }, claims)],
  ['HMAC-SHA512 that names HS256', forge(HS256_HEADER, claims, hmac(backend.secret, 'sha512'))],
  [
    'HMAC-SHA512 cut to 32 bytes',
    forge(HS256_HEADER, claims, (input) =>
      Buffer.from(hmac(backend.secret, 'sha512')(input) as Buffer).subarray(0, 32),
    ),
  ],
])

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ed = generateKeyPairSync('ed25519')
const jwkOf = (pair: { publicKey: typeof rsa.publicKey }) => pair.publicKey.export({ format: 'jwk' })
const byRsa = (input: string): Buffer => sign('sha256', Buffer.from(input), rsa.privateKey)
const byPs256 = (input: string): Buffer =>
  sign('sha256', Buffer.from(input), { key: rsa.privateKey, padding: 6, saltLength: 32 })
const byEc = (input: string): Buffer =>
  sign('sha256', Buffer.from(input), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' })
const byEd = (input: string): Buffer => sign(null, Buffer.from(input), ed.privateKey)

refuses('another key', [
  ['a key of the attacker', byKey(randomBytes(32))],
  ['the empty key', byKey('')],
  ['the word undefined', byKey('undefined')],
  ['32 zero bytes', byKey(Buffer.alloc(32))],
  ['the secret read as hex', byKey(Buffer.from(backend.secret, 'hex'))],
  ['the secret read as base64', byKey(Buffer.from(backend.secret, 'base64'))],
  ['the secret with a line break', byKey(`${backend.secret}\n`)],
  ['the issuer’s name', byKey('directus')],
  ['RS256, where a secret is shared', forge({ alg: 'RS256' }, claims, byRsa)],
  ['PS256', forge({ alg: 'PS256' }, claims, byPs256)],
  ['ES256', forge({ alg: 'ES256' }, claims, byEc)],
  ['EdDSA', forge({ alg: 'EdDSA' }, claims, byEd)],
  ['an RSA signature that names HS256', forge(HS256_HEADER, claims, byRsa)],
  ['a right HMAC that names RS256', rightly({ alg: 'RS256' }, claims)],
])

const partsOf = (token: string): [string, string, string] => token.split('.') as [string, string, string]
const change = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
type Alter = (header: string, payload: string, signature: string) => string
const altered = (token: string, alter: Alter): string => alter(...partsOf(token))
/** The good token with its parts changed; the signature stays what it was, or is changed too. */
const tampered = (alter: Alter): string => altered(byStore(claims), alter)
/** The good token with another signature. */
const resigned = (alter: (signature: string) => string) => tampered((h, p, s) => `${h}.${p}.${alter(s)}`)

refuses('a stripped or altered signature', [
  ['stripped, the dot remains', tampered((h, p) => `${h}.${p}.`)],
  ['stripped with its dot', tampered((h, p) => `${h}.${p}`)],
  ['the first character altered', resigned((s) => change(s, 0))],
  ['a middle character altered', resigned((s) => change(s, 20))],
  ['cut by one byte', resigned((s) => bytesOf(s).subarray(0, 31).toString('base64url'))],
  ['longer by one byte', resigned((s) => Buffer.concat([bytesOf(s), Buffer.alloc(1)]).toString('base64url'))],
  ['in hex', resigned((s) => bytesOf(s).toString('hex'))],
  ['of zeros', tampered((h, p) => `${h}.${p}.${Buffer.alloc(32).toString('base64url')}`)],
  [
    'of another good token',
    tampered((h, p) => `${h}.${p}.${partsOf(byStore({ ...claims, id: newUser() }))[2]}`),
  ],
  [
    'the payload exchanged under it',
    tampered((h, _, s) => `${h}.${encoded({ ...claims, admin_access: true })}.${s}`),
  ],
  ['the header exchanged under it', tampered((_, p, s) => `${encoded({ alg: 'HS256' })}.${p}.${s}`)],
  ['header and payload swapped', tampered((h, p, s) => `${p}.${h}.${s}`)],
  ['a fourth part', resigned((s) => `${s}.${s}`)],
  ['an empty part in front', tampered((h, p, s) => `.${h}.${p}.${s}`)],
  ['five parts, as of an encrypted token', tampered((h, p, s) => `${h}..${s}.${p}.${s}`)],
])

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** 32 bytes leave two bits of the last character unused: the same signature in other words. */
const respelled = (text: string, bits: number): string =>
  text.slice(0, -1) + ALPHABET[ALPHABET.indexOf(text.at(-1) as string) ^ bits]

/** A token whose signature has `-` and `_`, which other alphabets write otherwise. */
function withBothSpecials(): string {
  for (let round = 0; ; round += 1) {
    const token = byStore({ ...claims, round })
    if (/-/.test(partsOf(token)[2]) && /_/.test(partsOf(token)[2])) return token
  }
}

refuses('the same bytes in another spelling', [
  ...[1, 2, 3].map(
    (bits): Row => [
      `the unused bits of the signature set to ${bits}`,
      tampered((h, p, s) => `${h}.${p}.${respelled(s, bits)}`),
    ],
  ),
  ['a padded signature', resigned((s) => `${s}=`)],
  ['a blank in the signature', resigned((s) => `${s.slice(0, 20)} ${s.slice(20)}`)],
  ['a tab in the signature', resigned((s) => `${s.slice(0, 20)}\t${s.slice(20)}`)],
  [
    'the alphabet with + and /',
    altered(withBothSpecials(), (h, p, s) => `${h}.${p}.${s.replaceAll('-', '+').replaceAll('_', '/')}`),
    withBothSpecials(),
  ],
  [
    'a percent-encoded signature',
    tampered((h, p, s) => `${h}.${p}.%${s.charCodeAt(0).toString(16)}${s.slice(1)}`),
  ],
  [
    'a padded payload, rightly signed',
    signed(`${encoded(HS256_HEADER)}.${encodedPadded(claims)}`, hmac(backend.secret)),
  ],
  [
    'a padded header, rightly signed',
    signed(`${encodedPadded({ alg: 'HS256' })}.${encoded(claims)}`, hmac(backend.secret)),
    rightly({ alg: 'HS256' }, claims),
  ],
])
function encodedPadded(value: Record<string, unknown>): string {
  let text = JSON.stringify(value)
  while (text.length % 3 === 0) text += ' '
  return Buffer.from(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

refuses('an invalid expiry', [
  ['exp missing', byStore(without('exp'))],
  ['exp 40 s ago', byStore({ ...claims, exp: NOW - 40 }), byStore({ ...claims, exp: NOW - 20 })],
  ['exp 31 s ago', byStore({ ...claims, exp: NOW - 31 }), byStore({ ...claims, exp: NOW - 28 })],
  ['exp infinite', byStore(withRaw('exp', '1e999')), byStore(withRaw('exp', `${NOW + 900}`))],
  [
    'exp after the year 9999',
    byStore({ ...claims, exp: 253_402_300_800 }),
    byStore({ ...claims, exp: 253_402_300_799 }),
  ],
  ...claimIs('exp', `${NOW - HOUR} 9007199254740993 ${(NOW + 900) * 1000} 0 -${NOW} -1e999 ${NOW + 900}.5`),
  ...claimIs('exp', `"${NOW + 900}" "Infinity" "2999-01-01T00:00:00Z" null true [${NOW + 900}] {}`),
  ['exp only in the header', rightly({ ...HS256_HEADER, exp: NOW + 900 }, without('exp'))],
  ['exp inherited', byStore(inherits('exp', `{"exp":${NOW + 900}}`))],
  [
    'exp given twice, the last one past',
    byStore(`${JSON.stringify(claims).slice(0, -1)},"exp":${NOW - HOUR}}`),
  ],
])

for (const claim of ['iat', 'nbf']) {
  refuses(`a time in the future (${claim})`, [
    [
      'an hour ahead',
      byStore({ ...claims, [claim]: NOW + HOUR, exp: NOW + 2 * HOUR }),
      byStore({ ...claims, [claim]: NOW + 20, exp: NOW + 2 * HOUR }),
    ],
    ['32 s ahead', byStore({ ...claims, [claim]: NOW + 32 }), byStore({ ...claims, [claim]: NOW + 29 })],
    ['negative', byStore({ ...claims, [claim]: -1 }), byStore({ ...claims, [claim]: 0 })],
    ...claimIs(claim, `1e999 ${NOW - 1}.5 "${NOW}" null [${NOW}]`),
  ])
}

refuses('another issuer', [
  ['missing', byStore(without('iss'))],
  ...claimIs('iss', '"evil" "Directus" "directus\\u0020" "directus.evil.com" null ""'),
  ...claimIs('iss', '["directus"] ["evil","directus"]'),
  ['only in the header', rightly({ ...HS256_HEADER, iss: 'directus' }, without('iss'))],
])

const life = { iat: NOW, exp: NOW + 900, iss: 'directus' }
refuses('what the store signs for other ends, with the same key', [
  [
    'a share token',
    byStore({ app_access: false, admin_access: false, role: null, share: newUser(), ...life }),
  ],
  ['an invitation', byStore({ email: 'a@example.com', scope: 'invite', ...life })],
  ['a password reset', byStore({ email: 'a@example.com', scope: 'password-reset', hash: 'x', ...life })],
  ['a pending registration', byStore({ email: 'a@example.com', scope: 'pending-registration', ...life })],
  ['a share token with a user id', byStore({ ...claims, share: newUser() })],
  ['an empty share', byStore({ ...claims, share: null })],
  ['a scope with a user id', byStore({ ...claims, scope: 'invite' })],
  ['an empty scope', byStore({ ...claims, scope: '' })],
  ['nothing but a lifetime', byStore(life)],
])

refuses('no user', [
  ['id missing', byStore(without('id'))],
  ...claimIs('id', `"" null 1 true {"id":"${user}"} ["${user}"] "${user}\\u0000" "\\u0000" "\\ud800"`),
  ...claimIs('id', `"${'x'.repeat(300)}" "${'x'.repeat(256)}"`),
  ['id inherited', byStore(inherits('id', `{"id":"${user}"}`))],
  ['id only in the header', rightly({ ...HS256_HEADER, id: user }, without('id'))],
  ['sub empty', byStore({ ...without('id'), sub: '' }), byStore({ ...without('id'), sub: user })],
  ['sub a number', byStore({ ...without('id'), sub: 7 })],
  ['sub with NUL', byStore({ ...without('id'), sub: `${user}\0` })],
])

test('the user id is any non-empty string of at most 255 characters, in id or else in sub', async () => {
  await assertPasses(byStore({ ...claims, id: 'x'.repeat(255) }), 'x'.repeat(255))
  await assertPasses(
    byStore({ ...claims, id: "o'brien; drop table users; --" }),
    "o'brien; drop table users; --",
  )
  await assertPasses(byStore({ ...claims, id: '../%2e%2e/ü&?#,\n😀' }), '../%2e%2e/ü&?#,\n😀')
  await assertPasses(byStore({ ...without('id'), sub: user }))
  await assertPasses(byStore({ ...claims, sub: newUser() }))
})

test('iat and nbf are optional', async () => {
  await assertPasses(byStore(without('iat')))
  await assertPasses(byStore({ ...claims, nbf: NOW - 10 }))
})

refuses('critical extensions', [
  ['an unknown one', rightly({ ...HS256_HEADER, crit: ['parley'], parley: true }, claims)],
  ['exp', rightly({ ...HS256_HEADER, crit: ['exp'], exp: NOW + 900 }, claims)],
  ...'["parley"] ["alg"] [] "exp" null'
    .split(' ')
    .map((crit): Row => [`crit ${crit}`, rightly(`{"alg":"HS256","typ":"JWT","crit":${crit}}`, claims)]),
  [
    'an unencoded payload',
    signed(`${encoded({ ...HS256_HEADER, b64: false, crit: ['b64'] })}.${encoded(claims)}`, (input) => {
      const [header, payload = ''] = input.split('.')
      return hmac(backend.secret)(`${header}.${bytesOf(payload).toString()}`)
    }),
  ],
  ['b64 false', rightly({ ...HS256_HEADER, b64: false, crit: ['b64'] }, claims)],
])

const own = randomBytes(32)
const ownJwk = { kty: 'oct', k: own.toString('base64url'), alg: 'HS256', kid: 'own' }
const kids = [
  '../../../../dev/null',
  '/dev/null',
  "' or '1'='1",
  'own',
  '',
  'x'.repeat(5000),
  '__proto__',
  '\0',
]
refuses('keys that the token brings along', [
  ['jwk, symmetric', forge({ ...HS256_HEADER, jwk: ownJwk }, claims, hmac(own))],
  ['jwk, RSA', forge({ alg: 'RS256', jwk: jwkOf(rsa) }, claims, byRsa)],
  ['jwk, Ed25519', forge({ alg: 'EdDSA', jwk: jwkOf(ed) }, claims, byEd)],
  ['jku', forge({ ...HS256_HEADER, jku: trap.url, kid: 'trap' }, claims, hmac('trap'))],
  ['jku for RS256', forge({ alg: 'RS256', jku: trap.url }, claims, byRsa)],
  ['x5u', forge({ alg: 'RS256', x5u: trap.url }, claims, byRsa)],
  ['x5c', forge({ alg: 'RS256', x5c: ['MIIB'] }, claims, byRsa)],
  ['an issuer with an address', forge(HS256_HEADER, { ...claims, iss: trap.url }, hmac('trap'))],
  ...kids.flatMap((kid): Row[] => [
    [
      `kid ${JSON.stringify(kid).slice(0, 30)} and the empty key`,
      forge({ ...HS256_HEADER, kid }, claims, hmac('')),
    ],
    [
      `kid ${JSON.stringify(kid).slice(0, 30)} and itself as key`,
      forge({ ...HS256_HEADER, kid }, claims, hmac(`${kid}.`)),
    ],
  ]),
])

test('with a shared secret, hints in the header are ignored, and no URL in it is fetched', async () => {
  await assertPasses(
    rightly({ ...HS256_HEADER, jku: trap.url, x5u: trap.url, jwk: ownJwk, kid: 'trap' }, claims),
  )
  for (const kid of kids) await assertPasses(rightly({ ...HS256_HEADER, kid }, claims))
  assert.equal(fetchesOfTrap, 0)
})

/** A good token of exactly this many characters. */
function ofLength(length: number): string {
  for (let spare = 0; spare < 4; spare += 1) {
    const header = { ...HS256_HEADER, spare: 'x'.repeat(spare) }
    const start = byStore({ ...claims, pad: '' }).length
    for (let pad = Math.floor(((length - start) * 3) / 4) - 60; pad < length; pad += 1) {
      const token = rightly(header, { ...claims, pad: 'x'.repeat(pad) })
      if (token.length === length) return token
      if (token.length > length) break
    }
  }
  throw new Error(`No token of ${length} characters`)
}

refuses('more than 8 KiB', [
  ['8,193 characters', ofLength(8193), ofLength(8192)],
  ['12 KiB', ofLength(12 * 1024), ofLength(8191)],
  ['8,193 characters that are not a JWT', 'x'.repeat(8193)],
])

test('the cap holds for the cookie too', async () => {
  const status = async (token: string) =>
    (
      await request(`${backend.url}/api/v2/me`, 'GET', undefined, {
        cookie: `service_session_token=${token}`,
      })
    ).status
  assert.deepEqual([await status(ofLength(8192)), await status(ofLength(8193))], [200, 401])
})

test('too large headers get 431', async () => {
  const reply = await ask('x'.repeat(20_000))
  assert.deepEqual([reply.status, reply.body.code], [431, 'headers_too_large'])
})

refuses('parts that are not what they should be', [
  ['a payload that is not JSON', byStore('{')],
  ['an empty payload', byStore('')],
  ['a payload in a list', byStore(`[${JSON.stringify(claims)}]`)],
  ['a payload of null', byStore('null')],
  ['a payload in quotes', byStore(JSON.stringify(JSON.stringify(claims)))],
  ['a payload of 4,000 brackets', byStore('['.repeat(4000))],
  [
    'a payload that is not UTF-8',
    signed(
      `${encoded(HS256_HEADER)}.${Buffer.concat([Buffer.from(JSON.stringify(claims).slice(0, -1)), Buffer.from(',"x":"\xff"}', 'latin1')]).toString('base64url')}`,
      hmac(backend.secret),
    ),
  ],
  ['a header that is not JSON', rightly('HS256', claims)],
  ['an empty header', rightly('', claims)],
  ['a header of null', rightly('null', claims)],
  ['a header in a list', rightly('[{"alg":"HS256"}]', claims)],
])

describe('staff is the boolean true in admin_access, and nothing that resembles it', () => {
  const usage = '/api/v2/admin/usage'
  const inherited = `${JSON.stringify(without('admin_access')).slice(0, -1)}`
  const rows: Row[] = [
    ...claimIs('admin_access', '"true" 1 {} null [true] "1" "yes" [] {"admin_access":true} -1 1e999'),
    ['false', byStore({ ...claims, admin_access: false })],
    ['missing', byStore(without('admin_access'))],
    ['in the header', rightly({ ...HS256_HEADER, admin_access: true }, without('admin_access'))],
    ['under __proto__', byStore(`${inherited},"__proto__":{"admin_access":true}}`)],
    [
      'under constructor.prototype',
      byStore(`${inherited},"constructor":{"prototype":{"admin_access":true}}}`),
    ],
    ['under user', byStore({ ...without('admin_access'), user: { admin_access: true } })],
    ['in other letters', byStore({ ...without('admin_access'), Admin_Access: true })],
    ['with a blank', byStore({ ...without('admin_access'), 'admin_access ': true })],
    ['in camel case', byStore({ ...without('admin_access'), adminAccess: true })],
    ['as role', byStore({ ...claims, role: 'admin' })],
    ['as staff', byStore({ ...claims, staff: true })],
    ['true, then false', byStore(`${inherited},"admin_access":true,"admin_access":false}`)],
  ]
  for (const [name, token] of rows) {
    test(`not staff: ${name}`, async () => {
      const forged = await token
      const refused = await ask(forged, usage)
      assert.deepEqual([refused.status, refused.body.code], [403, 'staff_required'])
      const me = await ask(forged)
      assert.deepEqual([me.status, me.body.user.id, me.body.staff], [200, user, false])
    })
  }

  test('staff: true', async () => {
    const token = byStore({ ...claims, admin_access: true })
    assert.equal((await ask(token, usage)).status, 200)
    assert.equal((await ask(token)).body.staff, true)
    // Prototype pollution would show here.
    assert.equal((await ask(byStore(without('admin_access')), usage)).status, 403)
  })
})

test('a token that expires while the backend runs is refused', async (t) => {
  const own = ownClock()
  const other = await startBackend({ clock: own })
  t.after(() => other.stop())
  const caller = await other.as(user, { exp: Math.floor(own.now() / 1000) + 60 })
  const status = async () => (await caller.get('/api/v2/me')).status
  assert.equal(await status(), 200)
  own.advance(60 + 28)
  assert.equal(await status(), 200)
  own.advance(3)
  assert.equal(await status(), 401)
})
