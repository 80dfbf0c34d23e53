import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as open } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { newId } from '../../../platform/ids.ts'
import { newConversation, type TestConversation } from '../../../test/support/conversations.ts'
import { wavOf } from '../../../test/support/engines.ts'
import { tusClient } from '../../../test/support/uploads.ts'
import { assertRefused, until } from '../../../test/support/webhooks.ts'
import { backend, lifecycle, portal, query, setUp } from '../testing/setup.ts'
import { createChunkRecorder } from './record-chunks.ts'
import type { NewChunk } from './store-chunks.ts'

setUp({ enqueues: true })

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
  test(`accepts a chunk whose Content-Digest has ${what}`, async () => {
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
  ['a sha-256 labelled sha-512', `sha-512=${sha256(CHUNK)}`],
  ['base64url', `sha-512=:${'-_'.repeat(43)}:`],
  ['no bytes', 'sha-512=::'],
  ['capital letters, which keys must not have', `SHA-256=${sha256(CHUNK)}`],
  ['a trailing comma', `sha-256=${sha256(CHUNK)},`],
  ['a semicolon instead of a comma', `sha-256=${sha256(CHUNK)}; sha-512=:a`],
  ['text after a right digest', `sha-256=${sha256(CHUNK)} and more`],
  ['an unknown algorithm', `blake3=${sha256(CHUNK)}`],
  ['a deprecated algorithm alone', `md5=:${hash('md5', CHUNK, 'base64')}:`],
  ['an unknown algorithm beside a right digest', `sha-256=${sha256(CHUNK)}, blake3=:AAAA:`],
] as const)
  test(`rejects a chunk whose Content-Digest has ${what}`, async () => {
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

test('checks Repr-Digest like Content-Digest', async () => {
  assert.equal((await put({ 'repr-digest': `sha-512=${sha512(CHUNK)}` })).status, 201)
  assertRefused(await put({ 'repr-digest': `sha-512=${sha512(OTHER)}` }), 'Repr-Digest')
})

test('stores nothing after a wrong digest: the right bytes are accepted with the same number', async () => {
  const { send } = await newConversation(portal)
  assertRefused(
    await send('PUT', '/chunks/0', OTHER, { 'content-digest': `sha-512=${sha512(CHUNK)}` }),
    'Content-Digest',
  )
  const reply = await send('PUT', '/chunks/0', CHUNK, { 'content-digest': `sha-512=${sha512(CHUNK)}` })
  assert.deepEqual([reply.status, reply.body.sha256], [201, hash('sha256', CHUNK)])
})

for (const name of ['Upload-Checksum', 'Content-Digest', 'Repr-Digest'])
  test(`rejects a tus upload with ${name}, which is not checked there`, async () => {
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

const conversations = (count: number): Promise<TestConversation[]> =>
  Promise.all(Array.from({ length: count }, () => newConversation(portal)))

async function recordedOf(id: string): Promise<{ seqs: number[]; jobs: number[]; bytes: number }> {
  const [row] = await query(
    `select array(select seq from chunks where conversation_id = c.id order by seq) as seqs,
       array(select (data->>'seq')::integer from jobs.job where data->>'conversation_id' = c.id::text order by 1) as jobs,
       bytes from conversations c where id = $1`,
    [id],
  )
  return row
}

const newRecorder = () => {
  const record = createChunkRecorder(backend.database.db, lifecycle())
  return (chunk: NewChunk, kept = Promise.resolve()) => record(chunk, kept)
}

const chunkOf = ({ id }: Pick<TestConversation, 'id'>, said: string): NewChunk => ({
  conversationId: id,
  seq: 0,
  file: { bytes: said.length, digest: hash('sha256', said, 'buffer') },
  container: 'wav',
  recordedAt: null,
})

test('records chunks of many conversations that arrive at the same time, each with its job', async () => {
  const all = await conversations(20)
  const chunks = [0, 1, 2].map((n) => wavOf(`chunk ${n}`, n + 1))
  const replies = await Promise.all(
    all.flatMap(({ send }) => chunks.map((chunk, seq) => send('PUT', `/chunks/${seq}`, chunk))),
  )
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [201])
  for (const { id } of all) {
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0)
    assert.deepEqual(await recordedOf(id), { seqs: [0, 1, 2], jobs: [0, 1, 2], bytes })
  }
})

test('of concurrent chunks with one number, stores the first, accepts the same bytes and rejects others', async () => {
  const [one, other] = (await conversations(2)) as [TestConversation, TestConversation]
  const record = newRecorder()
  // The others form a batch while the first one is recorded.
  const stored = await Promise.all([
    record(chunkOf(other, 'before')),
    record(chunkOf(one, 'said')),
    record(chunkOf(one, 'not said')),
    record(chunkOf(one, 'said')),
    record(chunkOf({ id: newId() }, 'nowhere')),
  ])
  assert.deepEqual(stored, ['new', 'new', 'other', 'same', 'without_conversation'])
  assert.deepEqual(await record(chunkOf(one, 'said')), 'same')
  assert.deepEqual(await recordedOf(one.id), { seqs: [0], jobs: [0], bytes: 4 })
})

test('a chunk of a locked conversation waits without delaying others', async () => {
  const [held, ...others] = await conversations(4)
  assert.ok(held)
  const client = await backend.database.pool.connect()
  try {
    await client.query('begin')
    await client.query('select from conversations where id = $1 for update', [held.id])
    let hasResponse = false
    // More than the pool has connections.
    const waiting = Promise.all(
      Array.from({ length: 12 }, (_, seq) => held.send('PUT', `/chunks/${seq}`, wavOf('held'))),
    ).finally(() => {
      hasResponse = true
    })
    for (const { send } of others) assert.equal((await send('PUT', '/chunks/0', wavOf('free'))).status, 201)
    assert.equal(hasResponse, false)
    await client.query('commit')
    assert.deepEqual([...new Set((await waiting).map(({ status }) => status))], [201])
  } finally {
    client.release()
  }
  assert.equal((await recordedOf(held.id)).seqs.length, 12)
})

test('rejects the chunk of a withdrawn conversation and stores the others of its batch', async () => {
  const all = await conversations(6)
  await all[0]?.send('DELETE', '')
  const replies = await Promise.all(all.map(({ send }) => send('PUT', '/chunks/0', wavOf('there'))))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [404, 201, 201, 201, 201, 201],
  )
})

test('commits the row of a chunk only after its file is stored', async () => {
  const [one] = (await conversations(1)) as [TestConversation]
  const file = Promise.withResolvers<void>()
  const recording = newRecorder()(chunkOf(one, 'said'), file.promise)
  // The row is written, but not committed.
  await until(
    () =>
      query(`select from pg_stat_activity where state = 'idle in transaction' and datname = current_database()
        and query ilike '%insert into jobs.%'`),
    ({ length }) => length === 1,
  )
  assert.deepEqual(await recordedOf(one.id), { seqs: [], jobs: [], bytes: 0 })
  file.resolve()
  assert.equal(await recording, 'new')
  assert.deepEqual(await recordedOf(one.id), { seqs: [0], jobs: [0], bytes: 4 })
})

test('rejects the chunk whose file could not be stored and stores the others of its batch', async () => {
  const all = await conversations(5)
  const record = newRecorder()
  const replies = await Promise.allSettled(
    all.map((each, n) =>
      record(chunkOf(each, 'said'), n === 3 ? Promise.reject(new Error('no room')) : Promise.resolve()),
    ),
  )
  const outcomes = replies.map((reply) => (reply.status === 'fulfilled' ? reply.value : reply.reason.message))
  assert.deepEqual(outcomes, ['new', 'new', 'new', 'no room', 'new'])
  for (const [n, { id }] of all.entries())
    assert.deepEqual((await recordedOf(id)).seqs, n === 3 ? [] : [0], `conversation ${n}`)
})
