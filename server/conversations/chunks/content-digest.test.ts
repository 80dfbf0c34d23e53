import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as open } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { newConversation, newPortal, type Portal } from '../../../test/support/conversations.ts'
import { wavOf } from '../../../test/support/engines.ts'
import { tusClient } from '../../../test/support/uploads.ts'
import { assertRefused } from '../../../test/support/webhooks.ts'

let backend: TestBackend
let portal: Portal
before(async () => {
  backend = await startBackend({ enqueues: true })
  portal = await newPortal(backend)
})
after(() => backend.stop())

const CHUNK = wavOf('Digested')
const OTHER = wavOf('Something else')
const sha256 = (bytes: Buffer) => `:${hash('sha256', bytes, 'base64')}:`
const sha512 = (bytes: Buffer) => `:${hash('sha512', bytes, 'base64')}:`

async function put(headers: Record<string, string>) {
  const { send } = await newConversation(portal)
  return send('PUT', '/chunks/0', CHUNK, headers)
}

for (const [what, value] of [
  ['sha-256', `sha-256=${sha256(CHUNK)}`],
  ['sha-512', `sha-512=${sha512(CHUNK)}`],
  ['both', `sha-256=${sha256(CHUNK)}, sha-512=${sha512(CHUNK)}`],
  ['both in another order, without a space', `sha-512=${sha512(CHUNK)},sha-256=${sha256(CHUNK)}`],
  ['tabs and spaces around the comma', `  sha-512=${sha512(CHUNK)} \t,\t sha-256=${sha256(CHUNK)}  `],
  ['parameters, which structured fields allow', `sha-256=${sha256(CHUNK)};a;b=1;c="x, \\"y"`],
  ['base64 without its padding', `sha-256=${sha256(CHUNK).replace('=', '')}`],
  ['an empty header', ''],
] as const)
  test(`accepts a chunk whose Content-Digest holds ${what}`, async () => {
    const reply = await put({ 'content-digest': value })
    assert.equal(reply.status, 201, reply.text)
  })

for (const [what, value] of [
  ['a wrong sha-256', `sha-256=${sha256(OTHER)}`],
  ['a wrong sha-512', `sha-512=${sha512(OTHER)}`],
  ['a wrong sha-512 beside a right sha-256', `sha-256=${sha256(CHUNK)}, sha-512=${sha512(OTHER)}`],
  ['a wrong sha-256 beside a right sha-512', `sha-256=${sha256(OTHER)}, sha-512=${sha512(CHUNK)}`],
  ['two values of one algorithm', `sha-256=${sha256(OTHER)}, sha-256=${sha256(CHUNK)}`],
  ['words', 'nonsense'],
  ['a key without a value', 'sha-256'],
  ['a token instead of bytes', 'sha-256=abc'],
  ['hexadecimal', `sha-256=${hash('sha256', CHUNK)}`],
  ['base64 without colons', `sha-256=${sha256(CHUNK).replaceAll(':', '')}`],
  ['too few bytes', 'sha-256=:zzzz:'],
  ['a sha-256 under the name of sha-512', `sha-512=${sha256(CHUNK)}`],
  ['base64url', `sha-512=:${'-_'.repeat(43)}:`],
  ['no bytes at all', 'sha-512=::'],
  ['capital letters, which keys must not have', `SHA-256=${sha256(CHUNK)}`],
  ['a trailing comma', `sha-256=${sha256(CHUNK)},`],
  ['a semicolon instead of a comma', `sha-256=${sha256(CHUNK)}; sha-512=:a`],
  ['text behind a right digest', `sha-256=${sha256(CHUNK)} and more`],
  ['an algorithm that is not known', `blake3=${sha256(CHUNK)}`],
  ['a deprecated algorithm alone', `md5=:${hash('md5', CHUNK, 'base64')}:`],
  ['an unknown algorithm beside a right digest', `sha-256=${sha256(CHUNK)}, blake3=:AAAA:`],
] as const)
  test(`refuses a chunk whose Content-Digest holds ${what}`, async () => {
    assertRefused(await put({ 'content-digest': value }), 'Content-Digest')
  })

test('checks each of several Content-Digest headers', async () => {
  const { id, token } = await newConversation(portal)
  const sending = open(`${backend.url}/api/participant/conversations/${id}/chunks/0`, {
    method: 'PUT',
    headers: {
      'x-participant-token': token,
      'content-type': 'audio/wav',
      'content-length': CHUNK.length,
      'content-digest': [`sha-256=${sha256(CHUNK)}`, `sha-512=${sha512(OTHER)}`],
    },
  })
  sending.end(CHUNK)
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  const body = JSON.parse(await text(response))
  assert.deepEqual([body.status, body.errors[0].path], [422, 'Content-Digest'])
})

test('checks Repr-Digest like Content-Digest: without a content coding both are of the same bytes', async () => {
  assert.equal((await put({ 'repr-digest': `sha-512=${sha512(CHUNK)}` })).status, 201)
  assertRefused(await put({ 'repr-digest': `sha-512=${sha512(OTHER)}` }), 'Repr-Digest')
})

test('a refused digest stores nothing: the right bytes are accepted under the same number', async () => {
  const { send } = await newConversation(portal)
  assertRefused(
    await send('PUT', '/chunks/0', OTHER, { 'content-digest': `sha-512=${sha512(CHUNK)}` }),
    'Content-Digest',
  )
  const reply = await send('PUT', '/chunks/0', CHUNK, { 'content-digest': `sha-512=${sha512(CHUNK)}` })
  assert.deepEqual([reply.status, reply.body.sha256], [201, hash('sha256', CHUNK)])
})

for (const name of ['Upload-Checksum', 'Content-Digest', 'Repr-Digest'])
  test(`an upload with ${name}, which tus uploads do not check, is refused and not accepted unchecked`, async () => {
    const { id, token } = await newConversation(portal)
    const credential = { 'x-participant-token': token }
    const client = tusClient(backend.url, `/api/participant/conversations/${id}/uploads`, credential)
    const value = name === 'Upload-Checksum' ? 'sha1 AAAA' : 'sha-256=:AAAA:'
    assertRefused(await client.begin(CHUNK.length, {}, { [name]: value }), name)
    const begun = await client.begin(CHUNK.length)
    const location = String(begun.headers.get('location'))
    assertRefused(await client.patch(location, 0, CHUNK, { [name]: value }), name)
    assert.equal((await client.head(location)).headers.get('upload-offset'), '0')
  })
