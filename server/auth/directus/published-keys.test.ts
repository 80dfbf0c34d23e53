import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { newUser, startBackend } from '../../../test/support/backend.ts'
import { encoded, forge, hmac } from '../../../test/support/forge-token.ts'
import { ownClock } from '../../../test/support/own-clock.ts'
import { refused, startFakeStore } from '../../../test/support/servers/fake-store.ts'
import {
  type Behaviour,
  cutOff,
  hang,
  json,
  redirectTo,
  reset,
  scriptedServer,
  stall,
  text,
} from '../../../test/support/servers/scripted-server.ts'
import { publishedKeys } from './published-keys.ts'
import { type Outcome, outcomeOf } from './testing/outcome.ts'
import type { TokenKeys } from './verify-token.ts'

type Algorithm = 'RS256' | 'ES256' | 'EdDSA'
type Jwk = Record<string, unknown>

interface Key {
  alg: Algorithm
  kid: string
  publicKey: KeyObject
  privateKey: KeyObject
}

const PAIRS: Record<Algorithm, () => { publicKey: KeyObject; privateKey: KeyObject }> = {
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
}
const newKey = (alg: Algorithm, kid: string): Key => ({ alg, kid, ...PAIRS[alg]() })

const rsa = newKey('RS256', 'rsa')
const ec = newKey('ES256', 'ec')
const ed = newKey('EdDSA', 'ed')
const keys = [rsa, ec, ed]

const signer =
  ({ alg, privateKey }: Key) =>
  (input: string): Buffer =>
    sign(alg === 'EdDSA' ? null : 'sha256', Buffer.from(input), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    })

const published = ({ publicKey, kid, alg }: Key, more: Jwk = {}): Jwk => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  alg,
  use: 'sig',
  ...more,
})
const setOf = (...jwks: unknown[]): Behaviour => json({ keys: jwks })

const user = newUser()
/** Earlier than the clock of any test, so that no token is issued in the future. */
const ISSUED = Math.floor(Date.now() / 1000)
// Long enough for the tests that move the clock by days.
const claims = () => ({
  id: user,
  admin_access: false,
  iat: ISSUED,
  exp: ISSUED + 7 * 86_400,
  iss: 'directus',
})
const tokenOf = (key: Key, header: Jwk = {}, more: Jwk = {}): string =>
  forge({ alg: key.alg, typ: 'JWT', kid: key.kid, ...header }, { ...claims(), ...more }, signer(key))

/** A server whose response the test can change. */
async function startKeyServer(t: TestContext, first: Behaviour) {
  let behaviour = first
  let count = 0
  const server = await scriptedServer((response, incoming) => {
    count += 1
    behaviour(response, incoming)
  })
  t.after(server.stop)
  return {
    url: `${server.url}/.well-known/jwks.json`,
    fetches: () => count,
    publish: (next: Behaviour) => {
      behaviour = next
    },
  }
}

async function startBench(t: TestContext, first: Behaviour) {
  const server = await startKeyServer(t, first)
  const clock = ownClock()
  const store = await startFakeStore()
  const keys = publishedKeys(server.url, clock)
  const backend = await startBackend({ clock, identityUrl: store.url, keys })
  t.after(async () => {
    await backend.stop()
    await store.stop()
  })
  const outcome = (token: string) => outcomeOf(backend, token, user)
  const expect = async (expected: Outcome, ...tokens: string[]) =>
    assert.deepEqual(new Set(await Promise.all(tokens.map(outcome))), new Set([expected]))
  return { ...server, backend, clock, outcome, expect }
}

// Each test starts a backend.
describe('tokens by published keys', { concurrency: 3 }, () => {
  test('are accepted with RS256, ES256 and EdDSA, with one download for all of them', async (t) => {
    const { expect, fetches } = await startBench(t, setOf(...keys.map((key) => published(key))))
    const tokens = keys.flatMap((key) => [tokenOf(key), tokenOf(key, { kid: undefined })])
    await expect('accepted', ...tokens, ...tokens)
    assert.equal(fetches(), 1)
  })

  test('without kid are accepted while two keys of one kind are published, as during a rotation', async (t) => {
    const [old, young] = [newKey('RS256', 'old'), newKey('RS256', 'young')]
    const { expect } = await startBench(t, setOf(published(old), published(young)))
    for (const key of [old, young]) await expect('accepted', tokenOf(key, { kid: undefined }))
    await expect('refused', tokenOf(newKey('RS256', 'other'), { kid: undefined }))
  })

  test('are still accepted after the server publishes an empty set', async (t) => {
    const { expect, publish, clock } = await startBench(t, setOf(published(rsa)))
    await expect('accepted', tokenOf(rsa))
    publish(setOf())
    clock.advance(3600)
    await expect('accepted', tokenOf(rsa))
  })

  test('are accepted if the set contains only the keys, without kid and alg', async (t) => {
    const bare = keys.map(({ publicKey }) => publicKey.export({ format: 'jwk' }))
    const { expect } = await startBench(t, setOf(...bare))
    for (const key of keys) await expect('accepted', tokenOf(key, { kid: undefined }))
  })

  test('are refused unless a published key signed them', async (t) => {
    const oct = { kty: 'oct', kid: 'oct', alg: 'HS256', use: 'sig', k: randomBytes(32).toString('base64url') }
    const octBytes = Buffer.from(oct.k, 'base64url')
    const small = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const weak = { alg: 'RS256', kid: 'weak', ...small } as const
    const encryption = newKey('ES256', 'encryption')
    const other = newKey('RS256', 'other-alg')
    const privateOne = newKey('EdDSA', 'private')
    const offCurve = { ...published(newKey('ES256', 'off')), x: Buffer.alloc(32, 1).toString('base64url') }
    const { expect, backend, fetches, url } = await startBench(
      t,
      setOf(
        ...keys.map((key) => published(key)),
        oct,
        published(weak),
        published(encryption, { use: 'enc' }),
        published(other, { alg: 'RS512' }),
        { ...privateOne.privateKey.export({ format: 'jwk' }), kid: 'private' },
        offCurve,
        null,
        7,
        'key',
        [],
        {},
        { kty: 'RSA', kid: 'broken' },
        { kty: 'EC', kid: 'broken', crv: 'P-256', x: '!', y: {} },
      ),
    )
    const hs = (key: string | Buffer, header: { kid?: string } = { kid: 'rsa' }) =>
      forge({ alg: 'HS256', ...header }, claims(), hmac(key))
    const pem = (format: 'spki' | 'pkcs1', key = rsa) =>
      key.publicKey.export({ type: format, format: 'pem' }) as string
    const rs512 = (input: string) => sign('sha512', Buffer.from(input), rsa.privateKey)
    const ps256 = (input: string) =>
      sign('sha256', Buffer.from(input), { key: rsa.privateKey, padding: 6, saltLength: 32 })
    const respelled = (token: string) => {
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      return token.slice(0, -1) + alphabet[alphabet.indexOf(token.at(-1) as string) ^ 1]
    }
    const [header, payload, signature] = tokenOf(ec).split('.') as [string, string, string]
    const derOfEc = sign('sha256', Buffer.from(`${header}.${payload}`), ec.privateKey)
    const attacker = newKey('RS256', 'rsa')
    const attackers = attacker.publicKey.export({ format: 'jwk' })

    const attacks: Record<string, string> = {
      'HS256 by the PEM text': hs(pem('spki')),
      'HS256 by the PEM text without its last line break': hs(pem('spki').trimEnd()),
      'HS256 by the PKCS#1 PEM text': hs(pem('pkcs1')),
      'HS256 by the DER bytes': hs(rsa.publicKey.export({ type: 'spki', format: 'der' })),
      'HS256 by the JWK text': hs(JSON.stringify(published(rsa))),
      'HS256 by the modulus': hs(Buffer.from(published(rsa)['n'] as string, 'base64url')),
      'HS256 by the modulus as text': hs(published(rsa)['n'] as string),
      'HS256 by the Ed25519 key': hs(Buffer.from(published(ed)['x'] as string, 'base64url'), { kid: 'ed' }),
      'HS256 by the PEM text of EC': hs(pem('spki', ec), { kid: 'ec' }),
      'HS256 without kid': hs(pem('spki'), {}),
      'HS256 by a symmetric key of the set': hs(octBytes, { kid: 'oct' }),
      'HS256 by a symmetric key, without kid': hs(octBytes, {}),
      'HS256 by the secret of the other configuration': hs(backend.secret, {}),
      none: forge({ alg: 'none', kid: 'rsa' }, claims(), () => ''),
      None: forge({ alg: 'None', kid: 'rsa' }, claims(), () => ''),
      'RS512 by the right key': forge({ alg: 'RS512', kid: 'rsa' }, claims(), rs512),
      'PS256 by the right key': forge({ alg: 'PS256', kid: 'rsa' }, claims(), ps256),
      'a right RSA signature under the name ES256': tokenOf(rsa, { alg: 'ES256' }),
      'a right RSA signature under EC’s kid': tokenOf(rsa, { kid: 'ec' }),
      'an RSA key that was published for RS512': tokenOf(other),
      'an RSA key of 1,024 bits': tokenOf(weak),
      'a key that was published for encryption': tokenOf(encryption),
      'a private key in the set': tokenOf(privateOne),
      'a point off its curve': tokenOf(newKey('ES256', 'off')),
      'a broken key': tokenOf(newKey('RS256', 'broken')),
      'a key of the attacker under a known kid': tokenOf(attacker),
      'a key of the attacker in jwk': tokenOf(attacker, { jwk: attackers }),
      'a key of the attacker in jwk, without kid': tokenOf(attacker, { jwk: attackers, kid: undefined }),
      jku: tokenOf(attacker, { jku: `${url}?evil` }),
      x5u: tokenOf(attacker, { x5u: `${url}?evil` }),
      'a critical extension': tokenOf(rsa, { crit: ['parley'], parley: 1 }),
      'an unencoded payload': tokenOf(rsa, { crit: ['b64'], b64: false }),
      'an ES256 signature in DER': `${header}.${payload}.${derOfEc.toString('base64url')}`,
      'an ES256 signature of zeros': `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`,
      'an altered signature': `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      'an exchanged payload': `${header}.${encoded({ ...claims(), admin_access: true })}.${signature}`,
      'no signature': `${header}.${payload}.`,
      'spare bits set, RS256': respelled(tokenOf(rsa)),
      'spare bits set, ES256': respelled(tokenOf(ec)),
      'spare bits set, EdDSA': respelled(tokenOf(ed)),
      'a padded signature': `${tokenOf(ec)}==`,
      'a blank in the signature': `${header}.${payload}.${signature.slice(0, 9)} ${signature.slice(9)}`,
      'a kid of the prototype': tokenOf(rsa, { kid: '__proto__' }),
      'a kid that is a number': tokenOf(rsa, { kid: 1 }),
      'a kid that is null': tokenOf(rsa, { kid: null }),
      'a kid of 5,000 characters': tokenOf(rsa, { kid: 'x'.repeat(5000) }),
      'another issuer': tokenOf(rsa, {}, { iss: 'evil' }),
      'no exp': tokenOf(rsa, {}, { exp: undefined }),
      expired: tokenOf(rsa, {}, { exp: 1_000_000_000 }),
      'no user': tokenOf(rsa, {}, { id: undefined }),
    }
    for (const [name, token] of Object.entries(attacks)) {
      await t.test(`refused: ${name}`, () => expect('refused', token))
    }
    await t.test('accepts valid tokens with the same keys', async () => {
      for (const key of keys) await expect('accepted', tokenOf(key))
      assert.equal(fetches(), 1)
    })
  })

  test('of an unknown key cause at most one download in 30 s', async (t) => {
    const { expect, fetches, clock } = await startBench(t, setOf(published(rsa)))
    await expect('accepted', tokenOf(rsa))
    const unknown = Array.from({ length: 20 }, (_, i) => tokenOf({ ...rsa, kid: `unknown-${i}` }))
    for (const [seconds, downloads] of [
      [0, 1],
      [29.999, 1],
      [0.001, 2],
      [0, 2],
      [30, 3],
    ] as const) {
      clock.advance(seconds)
      await expect('refused', ...unknown)
      assert.equal(fetches(), downloads)
    }
    await expect('accepted', tokenOf(rsa))
  })

  test('are accepted with a new key from its first token on, and refused after their key was removed', async (t) => {
    const fresh = newKey('RS256', 'fresh')
    const { expect, publish, fetches, clock } = await startBench(t, setOf(published(rsa)))
    await expect('accepted', tokenOf(rsa))

    publish(setOf(published(rsa), published(fresh)))
    clock.advance(30)
    const both = [tokenOf(rsa), tokenOf(fresh), tokenOf(rsa), tokenOf(fresh)]
    await expect('accepted', ...both)
    assert.equal(fetches(), 2)

    publish(setOf(published(fresh)))
    // A known key causes no download, so its removal is noticed when the set is no longer fresh.
    clock.advance(599)
    await expect('accepted', tokenOf(rsa))
    clock.advance(2)
    await expect('refused', tokenOf(rsa))
    await expect('accepted', tokenOf(fresh))
  })

  test('are checked with the key that has the kid now, also if a kid is used again', async (t) => {
    const successor = newKey('RS256', 'rsa')
    const { expect, publish, clock } = await startBench(t, setOf(published(rsa)))
    await expect('accepted', tokenOf(rsa))
    publish(setOf(published(successor)))
    clock.advance(601)
    await expect('accepted', tokenOf(successor))
    await expect('refused', tokenOf(rsa))
  })

  test('get 503 until the keys were downloaded once, and are then accepted', async (t) => {
    const { expect, publish, fetches, clock } = await startBench(t, reset)
    const tokens = [tokenOf(rsa), tokenOf(newKey('RS256', 'rsa')), tokenOf({ ...rsa, kid: 'unknown' })]
    await expect('unavailable', ...tokens)
    assert.ok(fetches() <= tokens.length)
    publish(setOf(published(rsa)))
    clock.advance(1)
    await expect('accepted', tokenOf(rsa))
  })

  test('are accepted for a day while the key server is unavailable', async (t) => {
    const { expect, publish, fetches, clock } = await startBench(t, setOf(published(rsa)))
    await expect('accepted', tokenOf(rsa))
    publish(json({}, 503))
    for (const hours of [1, 11, 12]) {
      clock.advance(hours * 3600)
      await expect('accepted', tokenOf(rsa))
      await expect('refused', tokenOf(newKey('RS256', 'rsa')))
    }
    const soFar = fetches()
    await expect('accepted', ...Array<string>(10).fill(tokenOf(rsa)))
    assert.equal(fetches(), soFar, 'an unavailable server is not asked at every request')
    clock.advance(1)
    await expect('unavailable', tokenOf(rsa))
    publish(setOf(published(rsa)))
    clock.advance(30)
    await expect('accepted', tokenOf(rsa))
  })

  const followed: Behaviour = (response, incoming) =>
    incoming.url?.includes('followed')
      ? setOf(published(rsa))(response, incoming)
      : redirectTo('/followed')(response, incoming)
  const nonsense: [string, Behaviour][] = [
    ['404', json({ keys: [] }, 404)],
    ['500 with keys', json({ keys: [published(rsa)] }, 500)],
    ['401', refused],
    ['a page', text('<!doctype html><title>Login</title>')],
    ['an empty response', text('')],
    ['half a JSON', text('{"keys":[', { type: 'application/json' })],
    ['null', json(null)],
    ['a list', json([published(rsa)])],
    ['a string', json('keys')],
    ['no keys', json({})],
    ['keys that are not a list', json({ keys: { 0: published(rsa), length: 1 } })],
    ['a key in place of a set', json(published(rsa))],
    ['a huge set', setOf(published(rsa), { padding: 'x'.repeat(100_000) })],
    ['a redirect to the right set', followed],
    ['a response cut off', cutOff],
    ['a cut connection', reset],
    ['silence', hang],
    ['a head and then silence', stall],
  ]
  test('are neither accepted nor refused by a response that is not a key set', {
    concurrency: true,
  }, async (t) => {
    const newRow = await startRows(t)
    await Promise.all(
      nonsense.map(([name, behaviour]) =>
        t.test(`${name}: unavailable`, async () => {
          const { outcome } = await newRow(behaviour)
          assert.equal(await outcome(), 'unavailable')
        }),
      ),
    )
  })

  test('are still accepted by the old keys after such a response', { concurrency: true }, async (t) => {
    const newRow = await startRows(t)
    await Promise.all(
      nonsense.map(([name, behaviour]) =>
        t.test(name, async () => {
          const { outcome, publish, clock } = await newRow(setOf(published(rsa)))
          assert.equal(await outcome(), 'accepted')
          publish(behaviour)
          clock.advance(601)
          assert.equal(await outcome(), 'accepted')
        }),
      ),
    )
  })
})

/** Many key servers behind one backend, each with its own clock. The claim `row` of a token selects one. */
async function startRows(t: TestContext) {
  const rows = new Map<string, TokenKeys>()
  const store = await startFakeStore()
  const rowOf = (token: string): string =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).row
  const backend = await startBackend({
    identityUrl: store.url,
    keys: { verify: async (token) => (await rows.get(rowOf(token))?.verify(token)) ?? null },
  })
  t.after(() => Promise.all([backend.stop(), store.stop()]))
  return async (first: Behaviour) => {
    const server = await startKeyServer(t, first)
    const clock = ownClock()
    const row = server.url
    rows.set(row, publishedKeys(server.url, clock))
    return { ...server, clock, outcome: () => outcomeOf(backend, tokenOf(rsa, {}, { row }), user) }
  }
}
