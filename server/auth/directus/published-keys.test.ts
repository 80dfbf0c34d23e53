import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { newUser, request, startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { refused, startFakeStore } from '../../../test/support/fake-store.ts'
import { encoded, forge, hmac, type Json } from '../../../test/support/forge-token.ts'
import { type OwnClock, ownClock } from '../../../test/support/own-clock.ts'
import {
  type Behaviour,
  cutOff,
  hang,
  json,
  redirectTo,
  reset,
  type ScriptedServer,
  scriptedServer,
  stall,
  text,
} from '../../../test/support/scripted-server.ts'
import { publishedKeys } from './published-keys.ts'
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

/** As a store publishes it. */
const published = ({ publicKey, kid, alg }: Key, more: Jwk = {}): Jwk => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  alg,
  use: 'sig',
  ...more,
})
const setOf = (...jwks: unknown[]): Behaviour => json({ keys: jwks })

const user = newUser()
/** Before any test's clock, which stands still while its backend starts: no token may come from the future. */
const ISSUED = Math.floor(Date.now() / 1000)
// Long enough for the tests that move the clock by days.
const claims = () => ({
  id: user,
  admin_access: false,
  iat: ISSUED,
  exp: ISSUED + 7 * 86_400,
  iss: 'directus',
})
const tokenOf = (key: Key, header: Jwk = {}): string =>
  forge({ alg: key.alg, typ: 'JWT', kid: key.kid, ...header }, claims(), signer(key))

interface Bench {
  backend: TestBackend
  clock: OwnClock
  url: string
  /** How often the keys were fetched. */
  fetches(): number
  publish(behaviour: Behaviour): void
  outcome(token: string): Promise<'accepted' | 'refused' | 'unavailable'>
}

async function startBench(t: TestContext, first: Behaviour): Promise<Bench> {
  let behaviour = first
  let count = 0
  const keyServer = await scriptedServer((response, incoming) => {
    count += 1
    behaviour(response, incoming)
  })
  const clock = ownClock()
  const store = await startFakeStore()
  const url = `${keyServer.url}/.well-known/jwks.json`
  const backend = await startBackend({ clock, identityUrl: store.url, keys: publishedKeys(url, clock) })
  t.after(async () => {
    await backend.stop()
    await keyServer.stop()
    await store.stop()
  })
  return {
    backend,
    clock,
    url,
    fetches: () => count,
    publish: (next) => {
      behaviour = next
    },
    outcome: (token) => outcomeOf(backend, token),
  }
}

async function outcomeOf(
  backend: TestBackend,
  token: string,
): Promise<'accepted' | 'refused' | 'unavailable'> {
  const reply = await request(`${backend.url}/api/v2/me`, 'GET', undefined, {
    authorization: `Bearer ${token}`,
  })
  if (reply.status === 503) {
    assert.equal(reply.body.code, 'identity_unavailable')
    assert.ok(Number(reply.headers.get('retry-after')) > 0, 'says when to come back')
    assert.equal(reply.headers.get('www-authenticate'), null)
    return 'unavailable'
  }
  if (reply.status === 401) {
    assert.equal(reply.body.code, 'unauthenticated')
    return 'refused'
  }
  assert.deepEqual([reply.status, reply.body.user.id], [200, user])
  return 'accepted'
}

// Each starts a backend of its own.
describe('tokens by published keys', { concurrency: 3 }, () => {
  test('pass under RS256, ES256 and EdDSA, with one download for all of them', async (t) => {
    const { outcome, fetches } = await startBench(t, setOf(...keys.map((key) => published(key))))
    const tokens = keys.flatMap((key) => [tokenOf(key), tokenOf(key, { kid: undefined })])
    assert.deepEqual(new Set(await Promise.all([...tokens, ...tokens].map(outcome))), new Set(['accepted']))
    assert.equal(fetches(), 1)
  })

  test('pass without naming a key while two of one kind are published, as during a rotation', async (t) => {
    const [old, young] = [newKey('RS256', 'old'), newKey('RS256', 'young')]
    const { outcome } = await startBench(t, setOf(published(old), published(young)))
    for (const key of [old, young]) assert.equal(await outcome(tokenOf(key, { kid: undefined })), 'accepted')
    assert.equal(await outcome(tokenOf(newKey('RS256', 'other'), { kid: undefined })), 'refused')
  })

  test('go on passing when the server publishes an empty set', async (t) => {
    const { outcome, publish, clock } = await startBench(t, setOf(published(rsa)))
    assert.equal(await outcome(tokenOf(rsa)), 'accepted')
    publish(setOf())
    clock.advance(3600)
    assert.equal(await outcome(tokenOf(rsa)), 'accepted')
  })

  test('pass where the set says no more than the key', async (t) => {
    const bare = keys.map(({ publicKey }) => publicKey.export({ format: 'jwk' }))
    const { outcome } = await startBench(t, setOf(...bare))
    for (const key of keys) assert.equal(await outcome(tokenOf(key, { kid: undefined })), 'accepted')
  })

  test('are refused whenever anything but a published key signed them', async (t) => {
    const oct = { kty: 'oct', kid: 'oct', alg: 'HS256', use: 'sig', k: randomBytes(32).toString('base64url') }
    const octBytes = Buffer.from(oct.k, 'base64url')
    const small = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const weak = { alg: 'RS256', kid: 'weak', ...small } as const
    const encryption = newKey('ES256', 'encryption')
    const other = newKey('RS256', 'other-alg')
    const privateOne = newKey('EdDSA', 'private')
    const offCurve = { ...published(newKey('ES256', 'off')), x: Buffer.alloc(32, 1).toString('base64url') }
    const { outcome, backend, fetches, url } = await startBench(
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
    const hs = (key: string | Buffer, header: Json = { alg: 'HS256', kid: 'rsa' }) =>
      forge(header, claims(), hmac(key))
    const pem = (format: 'spki' | 'pkcs1', key = rsa) =>
      key.publicKey.export({ type: format, format: 'pem' }) as string
    const rs =
      (hash: string, options: { padding?: number; saltLength?: number } = {}) =>
      (input: string) =>
        sign(hash, Buffer.from(input), { key: rsa.privateKey, ...options })
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
      'HS256 by the Ed25519 key': hs(Buffer.from(published(ed)['x'] as string, 'base64url'), {
        alg: 'HS256',
        kid: 'ed',
      }),
      'HS256 by the PEM text of EC': hs(pem('spki', ec), { alg: 'HS256', kid: 'ec' }),
      'HS256 without kid': hs(pem('spki'), { alg: 'HS256' }),
      'HS256 by a symmetric key of the set': hs(octBytes, { alg: 'HS256', kid: 'oct' }),
      'HS256 by a symmetric key, without kid': hs(octBytes, { alg: 'HS256' }),
      'HS256 by the secret of the other configuration': hs(backend.secret, { alg: 'HS256' }),
      none: forge({ alg: 'none', kid: 'rsa' }, claims(), () => ''),
      None: forge({ alg: 'None', kid: 'rsa' }, claims(), () => ''),
      'RS512 by the right key': forge({ alg: 'RS512', kid: 'rsa' }, claims(), rs('sha512')),
      'PS256 by the right key': forge(
        { alg: 'PS256', kid: 'rsa' },
        claims(),
        rs('sha256', { padding: 6, saltLength: 32 }),
      ),
      'a right RSA signature under the name ES256': forge(
        { alg: 'ES256', kid: 'rsa' },
        claims(),
        signer(rsa),
      ),
      'a right RSA signature under EC’s kid': forge({ alg: 'RS256', kid: 'ec' }, claims(), signer(rsa)),
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
      'another issuer': forge({ alg: 'RS256', kid: 'rsa' }, { ...claims(), iss: 'evil' }, signer(rsa)),
      'no exp': forge({ alg: 'RS256', kid: 'rsa' }, { ...claims(), exp: undefined }, signer(rsa)),
      past: forge({ alg: 'RS256', kid: 'rsa' }, { ...claims(), exp: 1_000_000_000 }, signer(rsa)),
      'no user': forge({ alg: 'RS256', kid: 'rsa' }, { ...claims(), id: undefined }, signer(rsa)),
    }
    for (const [name, token] of Object.entries(attacks)) {
      await t.test(`refused: ${name}`, async () => assert.equal(await outcome(token), 'refused'))
    }
    await t.test('while the good ones pass beside them', async () => {
      for (const key of keys) assert.equal(await outcome(tokenOf(key)), 'accepted')
      assert.equal(fetches(), 1)
    })
  })

  test('of an unknown key cause at most one download in 30 s', async (t) => {
    const { outcome, fetches, clock } = await startBench(t, setOf(published(rsa)))
    assert.equal(await outcome(tokenOf(rsa)), 'accepted')
    const spray = () =>
      Promise.all(Array.from({ length: 20 }, (_, i) => outcome(tokenOf({ ...rsa, kid: `unknown-${i}` }))))
    assert.deepEqual(new Set(await spray()), new Set(['refused']))
    assert.equal(fetches(), 1)
    clock.advance(29.999)
    await spray()
    assert.equal(fetches(), 1)
    clock.advance(0.001)
    await spray()
    assert.equal(fetches(), 2)
    await spray()
    assert.equal(fetches(), 2)
    clock.advance(30)
    assert.deepEqual(new Set(await spray()), new Set(['refused']))
    assert.equal(fetches(), 3)
    assert.equal(await outcome(tokenOf(rsa)), 'accepted')
  })

  test('pass through a rotation: the new key by its first token, the removed one no longer', async (t) => {
    const fresh = newKey('RS256', 'fresh')
    const { outcome, publish, fetches, clock } = await startBench(t, setOf(published(rsa)))
    assert.equal(await outcome(tokenOf(rsa)), 'accepted')

    publish(setOf(published(rsa), published(fresh)))
    clock.advance(30)
    const both = [tokenOf(rsa), tokenOf(fresh), tokenOf(rsa), tokenOf(fresh)]
    assert.deepEqual(new Set(await Promise.all(both.map(outcome))), new Set(['accepted']))
    assert.equal(fetches(), 2)

    publish(setOf(published(fresh)))
    // A known key causes no download, so its removal is noticed when the set is no longer fresh.
    clock.advance(599)
    assert.equal(await outcome(tokenOf(rsa)), 'accepted')
    clock.advance(2)
    assert.equal(await outcome(tokenOf(rsa)), 'refused')
    assert.equal(await outcome(tokenOf(fresh)), 'accepted')
  })

  test('are checked by the key that has the kid now, also when a kid is used again', async (t) => {
    const successor = newKey('RS256', 'rsa')
    const { outcome, publish, clock } = await startBench(t, setOf(published(rsa)))
    assert.equal(await outcome(tokenOf(rsa)), 'accepted')
    publish(setOf(published(successor)))
    clock.advance(601)
    assert.deepEqual(
      [await outcome(tokenOf(successor)), await outcome(tokenOf(rsa))],
      ['accepted', 'refused'],
    )
  })

  test('are not refused but unknown while the keys were never there, and pass as soon as they are', async (t) => {
    const { outcome, publish, fetches, clock } = await startBench(t, reset)
    const tokens = [tokenOf(rsa), tokenOf(newKey('RS256', 'rsa')), tokenOf({ ...rsa, kid: 'unknown' })]
    assert.deepEqual(new Set(await Promise.all(tokens.map(outcome))), new Set(['unavailable']))
    assert.ok(fetches() <= tokens.length)
    publish(setOf(published(rsa)))
    clock.advance(1)
    assert.equal(await outcome(tokenOf(rsa)), 'accepted')
  })

  test('go on passing while the key server is away, for a day', async (t) => {
    const { outcome, publish, fetches, clock } = await startBench(t, setOf(published(rsa)))
    assert.equal(await outcome(tokenOf(rsa)), 'accepted')
    publish(json({}, 503))
    for (const hours of [1, 11, 12]) {
      clock.advance(hours * 3600)
      assert.equal(await outcome(tokenOf(rsa)), 'accepted')
      assert.equal(await outcome(tokenOf(newKey('RS256', 'rsa'))), 'refused')
    }
    const soFar = fetches()
    await Promise.all(Array.from({ length: 10 }, () => outcome(tokenOf(rsa))))
    assert.equal(fetches(), soFar, 'a server that is away is not asked at every request')
    clock.advance(1)
    assert.equal(await outcome(tokenOf(rsa)), 'unavailable')
    publish(setOf(published(rsa)))
    clock.advance(30)
    assert.equal(await outcome(tokenOf(rsa)), 'accepted')
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
    ['an empty answer', text('')],
    ['half a JSON', text('{"keys":[', { type: 'application/json' })],
    ['null', json(null)],
    ['a list', json([published(rsa)])],
    ['a string', json('keys')],
    ['no keys', json({})],
    ['keys that are no list', json({ keys: { 0: published(rsa), length: 1 } })],
    ['a key in place of a set', json(published(rsa))],
    ['a huge set', setOf(published(rsa), { padding: 'x'.repeat(100_000) })],
    ['a redirect to the right set', followed],
    ['an answer cut off', cutOff],
    ['a cut connection', reset],
    ['silence', hang],
    ['a head and then silence', stall],
  ]
  test('are neither accepted nor refused by an answer that is no key set', {
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

  test('go on passing by the old keys when such an answer comes later', { concurrency: true }, async (t) => {
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

/** Many key servers behind one backend, each with its own clock: a claim of the token says which one is meant. */
async function startRows(t: TestContext) {
  const rows = new Map<string, TokenKeys>()
  const store = await startFakeStore()
  const rowOf = (token: string): string =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).row
  const backend = await startBackend({
    identityUrl: store.url,
    keys: { verify: async (token) => (await rows.get(rowOf(token))?.verify(token)) ?? null },
  })
  const servers: ScriptedServer[] = []
  t.after(async () => {
    await Promise.all([backend, store, ...servers].map((server) => server.stop()))
  })
  return async (first: Behaviour) => {
    let behaviour = first
    const row = String(rows.size)
    const clock = ownClock()
    const token = forge({ alg: 'RS256', kid: 'rsa' }, { ...claims(), row }, signer(rsa))
    // Placed before the server is awaited: the number is taken.
    rows.set(row, { verify: async () => null })
    const server = await scriptedServer((response, incoming) => behaviour(response, incoming))
    servers.push(server)
    rows.set(row, publishedKeys(server.url, clock))
    return {
      clock,
      outcome: () => outcomeOf(backend, token),
      publish: (next: Behaviour) => {
        behaviour = next
      },
    }
  }
}
