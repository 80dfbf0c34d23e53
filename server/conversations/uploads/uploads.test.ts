import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { access, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { newConversation, type TestConversation, untilStatus } from '../../../test/support/conversations.ts'
import { scriptedEngines, wavOf } from '../../../test/support/engines.ts'
import { mountSmall } from '../../../test/support/small-disk.ts'
import {
  fileOf,
  locationOf,
  statusOf,
  type TusClient,
  tusClient,
  untilSize,
} from '../../../test/support/uploads.ts'
import { backend, portal, query, recorded, setUp } from '../testing/setup.ts'
import { MAX_UPLOAD_BYTES } from './tus.ts'

setUp({ allowedOrigins: ['https://dashboard.example.com'], engines: scriptedEngines() })

const uploadsOf = ({ id, token }: Pick<TestConversation, 'id' | 'token'>): TusClient =>
  tusClient(backend.url, `/api/participant/conversations/${id}/uploads`, { 'x-participant-token': token })

const pathOf = ({ id }: TestConversation, location: string): string =>
  fileOf(backend, `${portal.projectId}/${id}`, location)

const chunksOf = (id: string) =>
  query('select seq, bytes, container, recorded_at from chunks where conversation_id = $1 order by seq', [id])

async function newParticipant() {
  const conversation = await newConversation(portal)
  return { ...conversation, tus: uploadsOf(conversation) }
}

test('transcribes a file that arrives in parts like any recording', async () => {
  const { id, token, send, tus } = await newParticipant()
  const { location, reply } = await tus.upload(wavOf('From a file', 3))
  assert.equal(reply.status, 204)
  assert.equal(reply.headers.get('x-conversation-id'), id)
  assert.equal(reply.headers.get('location'), `/api/participant/conversations/${id}`)
  await assert.rejects(access(fileOf(backend, `${portal.projectId}/${id}`, location)))
  await send('POST', '/finish', { chunks: 1 })
  assert.equal((await untilStatus(portal, id, token, 'done')).transcript_so_far, 'From a file')
})

test('an interrupted PATCH is resumed at the offset of HEAD without losing a byte', async () => {
  const conversation = await newParticipant()
  const { id, token, send, tus } = conversation
  const bytes = wavOf('Broken off', 20)
  const location = locationOf(await tus.begin(bytes.length))
  const sending = tus.startPatch(location, 0, bytes, 300_000)
  sending.on('error', () => {})
  await untilSize(pathOf(conversation, location), 200_000)
  sending.destroy()

  const { headers, status } = await tus.head(location)
  const offset = Number(headers.get('upload-offset'))
  assert.equal(status, 200)
  assert.ok(offset >= 200_000 && offset <= 300_000, `${offset}`)
  assert.deepEqual(
    [headers.get('upload-length'), headers.get('cache-control')],
    [String(bytes.length), 'no-store'],
  )
  assert.equal((await tus.patch(location, offset, bytes.subarray(offset))).status, 204)
  await send('POST', '/finish')
  assert.equal((await untilStatus(portal, id, token, 'done')).transcript_so_far, 'Broken off')
  assert.deepEqual(
    (await chunksOf(id)).map((chunk) => [chunk.seq, chunk.bytes, chunk.container]),
    [[0, bytes.length, 'wav']],
  )
})

test('HEAD ends a PATCH on a dead connection, so that the client can resume', async () => {
  const conversation = await newParticipant()
  const { tus } = conversation
  const bytes = wavOf('Half open', 10)
  const location = locationOf(await tus.begin(bytes.length))
  const hanging = tus.startPatch(location, 0, bytes, 100_000)
  hanging.on('error', () => {})
  await untilSize(pathOf(conversation, location), 100_000)
  const offset = Number((await tus.head(location)).headers.get('upload-offset'))
  assert.equal(offset, 100_000)
  assert.equal((await tus.patch(location, offset, bytes.subarray(offset))).status, 204)
  hanging.destroy()
  assert.equal((await chunksOf(conversation.id))[0].bytes, bytes.length)
})

test('of two concurrent PATCH requests the second is 423 and the first continues', async () => {
  const conversation = await newParticipant()
  const { tus } = conversation
  const bytes = wavOf('One at a time', 5)
  const location = locationOf(await tus.begin(bytes.length))
  const first = tus.startPatch(location, 0, bytes, 50_000)
  await untilSize(pathOf(conversation, location), 50_000)
  assert.equal((await tus.patch(location, 0, bytes)).status, 423)
  assert.equal((await tus.end(location)).status, 423)
  first.end(bytes.subarray(50_000))
  assert.equal(await statusOf(first), 204)
  assert.equal((await chunksOf(conversation.id))[0].bytes, bytes.length)
})

test('accepts the whole file in the request that creates the upload', async () => {
  const { id, tus } = await newParticipant()
  const bytes = wavOf('At once')
  const reply = await tus.beginWith(bytes)
  assert.equal(reply.status, 201)
  assert.equal(reply.headers.get('upload-offset'), String(bytes.length))
  assert.equal(reply.headers.get('x-conversation-id'), id)
  assert.equal((await tus.head(locationOf(reply))).headers.get('upload-offset'), String(bytes.length))
  assert.deepEqual(
    (await chunksOf(id)).map((chunk) => chunk.bytes),
    [bytes.length],
  )
})

test('an upload becomes the next chunk, and the same bytes again do not', async () => {
  const { id, send, tus } = await newParticipant()
  await send('PUT', '/chunks/4', wavOf('live'))
  for (let n = 0; n < 2; n++) assert.equal((await tus.upload(wavOf('file'))).reply.status, 204)
  await tus.upload(wavOf('another'), { started_at: '2026-01-02T03:04:05+01:00' })
  const chunks = await chunksOf(id)
  assert.deepEqual(
    chunks.map(({ seq }) => seq),
    [4, 5, 6],
  )
  assert.equal(new Date(chunks[2].recorded_at).toISOString(), '2026-01-02T02:04:05.000Z')
})

test('an upload after the end reopens the conversation', async () => {
  const conversation = await recorded('first')
  const { id, token } = conversation
  await uploadsOf(conversation).upload(wavOf('late'))
  const done = await untilStatus(portal, id, token, 'done', ({ transcript_so_far }) =>
    transcript_so_far.includes('late'),
  )
  assert.equal(done.transcript_so_far, 'first\nlate')
})

test('HEAD and PATCH of a finished upload return its conversation, and store nothing twice', async () => {
  const { id, tus } = await newParticipant()
  const bytes = wavOf('once')
  const { location } = await tus.upload(bytes)
  const head = await tus.head(location)
  assert.equal(head.headers.get('upload-offset'), String(bytes.length))
  assert.equal(head.headers.get('x-conversation-id'), id)
  const again = await tus.patch(location, bytes.length, new Uint8Array())
  assert.deepEqual([again.status, again.headers.get('x-conversation-id')], [204, id])
  assert.equal((await tus.end(location)).status, 400)
  assert.equal((await chunksOf(id)).length, 1)
})

test('names the content type of an upload if a request has another one', async () => {
  const { tus } = await newParticipant()
  const bytes = wavOf('typed')
  const location = locationOf(await tus.begin(bytes.length))
  const wrong = await tus.patch(location, 0, bytes, { 'content-type': 'audio/wav' })
  assert.deepEqual([wrong.status, wrong.body.code], [415, 'unsupported_media'])
  assert.match(wrong.body.detail, /application\/offset\+octet-stream/)
  assert.equal((await tus.patch(location, 0, bytes)).status, 204)
})

test('rejects a complete upload that is not audio, and removes it', async () => {
  for (const junk of [Buffer.from('<!doctype html><html>'.repeat(50)), Buffer.alloc(0)]) {
    const conversation = await newParticipant()
    const { id, send, tus } = conversation
    const begun = await tus.begin(junk.length, { filename: 'talk.wav', filetype: 'audio/wav' })
    const last = junk.length === 0 ? begun : await tus.patch(locationOf(begun), 0, junk)
    assert.deepEqual([last.status, last.body.code], [415, 'unsupported_media'])
    assert.equal(last.headers.get('tus-resumable'), '1.0.0')
    if (junk.length > 0) {
      assert.equal((await tus.head(locationOf(begun))).status, 404)
      await assert.rejects(access(pathOf(conversation, locationOf(begun))))
    }
    assert.deepEqual(await chunksOf(id), [])
    assert.equal((await send('GET', '')).body.status, 'recording')
  }
})

test('an upload is not found in another conversation', async () => {
  const mine = await newParticipant()
  const other = await newParticipant()
  const location = locationOf(await mine.tus.begin(10))
  const uid = location.split('/').at(-1)
  for (const foreign of [uid, randomUUID(), 'x', '..%2f..%2fetc', `..%2f${mine.id}%2f${uid}`]) {
    const url = `/api/participant/conversations/${other.id}/uploads/${foreign}`
    const replies = await Promise.all([
      other.tus.head(url),
      other.tus.patch(url, 0, new Uint8Array(10)),
      other.tus.end(url),
    ])
    assert.deepEqual(
      replies.map(({ status }) => status),
      [404, 404, 404],
      foreign,
    )
    assert.equal(replies[1]?.body.code, 'not_found')
  }
  assert.equal((await mine.tus.head(location)).headers.get('upload-offset'), '0')
})

test('every request of an upload needs the token', async () => {
  const mine = await newParticipant()
  const other = await newParticipant()
  const location = locationOf(await mine.tus.begin(10))
  for (const token of ['', 'wrong', other.token]) {
    const stranger = uploadsOf({ id: mine.id, token })
    const replies = [
      await stranger.begin(10),
      await stranger.patch(location, 0, new Uint8Array(10)),
      await stranger.end(location),
    ]
    for (const { status, body } of replies)
      assert.deepEqual([status, body.code], [403, 'participant_token_rejected'])
    assert.equal((await stranger.head(location)).status, 403)
  }
  assert.equal((await mine.tus.head(location)).headers.get('upload-offset'), '0')
})

const BAD_CREATIONS: [why: string, headers: Record<string, string>, status: number][] = [
  ['more than 2 GiB', { 'upload-length': String(MAX_UPLOAD_BYTES + 1) }, 413],
  ['a length below 0', { 'upload-length': '-1' }, 400],
  ['a malformed length', { 'upload-length': '1e9' }, 400],
  ['too large a number', { 'upload-length': '99999999999999999999' }, 400],
  ['a length and a deferred length', { 'upload-defer-length': '1' }, 400],
  ['no version', { 'tus-resumable': '' }, 412],
  ['another version', { 'tus-resumable': '0.2.2' }, 400],
  ['concatenation', { 'upload-concat': 'final;/api/x /api/y' }, 422],
  ['metadata that is not base64', { 'upload-metadata': 'title !' }, 400],
  ['metadata twice', { 'upload-metadata': 'filename eA==,filename eA==' }, 400],
  ['unknown metadata', { 'upload-metadata': 'surprise eA==' }, 422],
  ['a malformed time', { 'upload-metadata': 'started_at eA==' }, 422],
  ['JSON', { 'content-type': 'application/json' }, 415],
]
for (const [why, headers, status] of BAD_CREATIONS) {
  test(`an upload with ${why} is ${status} and is not created`, async () => {
    const { tus } = await newParticipant()
    const reply = await tus.begin(10, {}, headers)
    assert.equal(reply.status, status, reply.text)
    assert.equal(reply.headers.get('location'), null)
  })
}

const BAD_PATCHES: [why: string, headers: Record<string, string>, bytes: number, status: number][] = [
  ['another offset', { 'upload-offset': '1' }, 5, 409],
  ['an offset below 0', { 'upload-offset': '-1' }, 5, 400],
  ['a malformed offset', { 'upload-offset': '0x0' }, 5, 400],
  ['more bytes than were announced', {}, 11, 413],
  ['another type', { 'content-type': 'audio/wav' }, 5, 415],
]
for (const [why, headers, bytes, status] of BAD_PATCHES) {
  test(`a PATCH with ${why} is ${status} and changes nothing`, async () => {
    const { tus } = await newParticipant()
    const location = locationOf(await tus.begin(10))
    assert.equal((await tus.patch(location, 0, new Uint8Array(bytes), headers)).status, status)
    assert.equal((await tus.head(location)).headers.get('upload-offset'), '0')
  })
}

test('accepts a deferred length up to the limit', async () => {
  const { id, tus } = await newParticipant()
  const bytes = wavOf('later')
  const location = locationOf(await tus.begin('deferred'))
  assert.equal((await tus.patch(location, 0, bytes.subarray(0, 1_000))).status, 204)
  assert.equal((await tus.head(location)).headers.get('upload-defer-length'), '1')
  const tooLong = { 'upload-length': String(MAX_UPLOAD_BYTES + 1) }
  assert.equal((await tus.patch(location, 1_000, bytes.subarray(1_000), tooLong)).status, 413)
  const length = { 'upload-length': String(bytes.length) }
  assert.equal((await tus.patch(location, 1_000, bytes.subarray(1_000), length)).status, 204)
  assert.equal((await chunksOf(id))[0].bytes, bytes.length)
})

test('a cancelled upload is not found', async () => {
  const { tus } = await newParticipant()
  const location = locationOf(await tus.begin(10))
  assert.equal((await tus.end(location)).status, 204)
  assert.equal((await tus.head(location)).status, 404)
})

test('limits a conversation to 20 unfinished uploads', async () => {
  const { tus } = await newParticipant()
  await tus.upload(wavOf('done'))
  const begun = await Promise.all(Array.from({ length: 20 }, () => tus.begin(10)))
  const refused = await tus.begin(10)
  assert.deepEqual([refused.status, refused.body.code], [409, 'limit_reached'])
  await tus.end(locationOf(begun[0] as (typeof begun)[0]))
  assert.equal((await tus.begin(10)).status, 201)
})

test('a full disk is 507, and the upload resumes when there is room', async (t) => {
  const conversation = await newParticipant()
  const { id, tus } = conversation
  const bytes = wavOf('No room', 60)
  const location = locationOf(await tus.begin(bytes.length))
  const folder = dirname(pathOf(conversation, location))
  const kept = await readFile(`${pathOf(conversation, location)}.json`)
  if (!mountSmall(folder)) return t.skip('a small disk can be mounted by root alone')
  try {
    await writeFile(pathOf(conversation, location), '')
    await writeFile(`${pathOf(conversation, location)}.json`, kept)
    const full = await tus.patch(location, 0, bytes)
    assert.deepEqual([full.status, full.body.code], [507, 'storage_full'])
    assert.equal(full.headers.get('retry-after'), '60')
    execFileSync('mount', ['-o', 'remount,size=10m', folder], { stdio: 'ignore' })
    const offset = Number((await tus.head(location)).headers.get('upload-offset'))
    assert.ok(offset > 0, `${offset}`)
    // It is on another volume than the file store, so the file is copied and not linked.
    assert.equal((await tus.patch(location, offset, bytes.subarray(offset))).status, 204)
    assert.equal((await chunksOf(id))[0].bytes, bytes.length)
  } finally {
    execFileSync('umount', [folder])
  }
})

test('sending a file counts as activity', async () => {
  const { id, send, tus } = await newParticipant()
  const location = locationOf(await tus.begin(100))
  await query(`update conversations set active_at = now() - interval '14 minutes' where id = $1`, [id])
  await tus.patch(location, 0, new Uint8Array(50))
  const active = `select active_at > now() - interval '1 minute' as active from conversations where id = $1`
  assert.deepEqual(await query(active, [id]), [{ active: true }])
  assert.equal((await send('GET', '')).body.status, 'recording')
})

test('allows tus headers to pages of allowed origins, and OPTIONS lists the extensions', async () => {
  const { id, token } = await newConversation(portal)
  const url = `${backend.url}/api/participant/conversations/${id}/uploads`
  const origin = 'https://dashboard.example.com'
  const { headers } = await fetch(url, { method: 'OPTIONS', headers: { origin } })
  const allowed = String(headers.get('access-control-allow-headers')).split(', ')
  for (const name of ['tus-resumable', 'upload-length', 'upload-offset', 'upload-metadata', 'content-type'])
    assert.ok(allowed.includes(name), name)
  assert.equal(headers.get('tus-version'), '1.0.0')
  assert.equal(headers.get('tus-max-size'), String(MAX_UPLOAD_BYTES))
  for (const extension of ['creation', 'creation-with-upload', 'termination', 'expiration'])
    assert.ok(headers.get('tus-extension')?.split(',').includes(extension), extension)

  const begun = await fetch(url, {
    method: 'POST',
    headers: { origin, 'tus-resumable': '1.0.0', 'upload-length': '10', 'x-participant-token': token },
  })
  assert.equal(begun.headers.get('access-control-allow-origin'), origin)
  const exposed = String(begun.headers.get('access-control-expose-headers')).split(', ')
  for (const name of ['location', 'upload-offset', 'upload-expires', 'x-conversation-id'])
    assert.ok(exposed.includes(name), name)
  const elsewhere = await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example.net' } })
  assert.equal(elsewhere.headers.get('access-control-allow-origin'), null)
})
