import assert from 'node:assert/strict'
import { readdir, readlink } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { type FileStore, StorageFull } from '../../../storage/file-store.ts'
import { newConversation } from '../../../test/support/conversations.ts'
import { scriptedEngines, wavOf } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { createParticipantTokens } from '../../auth/index.ts'
import { createLimits } from '../../tenancy/index.ts'
import { backend, lifecycle, portal, setUp, untilErased } from '../testing/setup.ts'
import { folderOf } from './file-keys.ts'
import { putChunk } from './put-chunk.ts'
import { createChunkRecorder } from './record-chunks.ts'
import { createQuota } from './storage-quota.ts'

setUp({ engines: scriptedEngines() })

/** Names of the conversation's files, with those of the joined audio left out. */
async function chunkFiles(id: string): Promise<string[]> {
  const names: string[] = []
  for await (const name of backend.files.list(folderOf(id))) if (!name.startsWith('whole')) names.push(name)
  return names
}

const putStream = (id: string, token: string, body: ReadableStream) =>
  fetch(`${backend.url}/api/participant/conversations/${id}/chunks/0`, {
    method: 'PUT',
    headers: { 'content-type': 'audio/wav', 'x-participant-token': token },
    body,
    duplex: 'half',
  })

test('a different chunk with a used number leaves no file', async () => {
  const { id, send } = await newConversation(portal)
  assert.equal((await send('PUT', '/chunks/0', wavOf('once'))).status, 201)
  const kept = await chunkFiles(id)
  assert.equal((await send('PUT', '/chunks/0', wavOf('twice'))).status, 409)
  assert.deepEqual(await chunkFiles(id), kept)
  const digest = { 'content-digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` }
  assert.equal((await send('PUT', '/chunks/0', wavOf('once'), digest)).status, 422)
  const film = await send('PUT', '/chunks/0', wavOf('once'), { 'content-type': 'video/webm' })
  assert.deepEqual([film.status, film.body.code], [415, 'unsupported_media'])
  assert.match(film.body.detail, /audio\/webm/)
  assert.deepEqual(await chunkFiles(id), kept, 'an error leaves the stored chunk in place')
})

test('a full disk does not remove a chunk that was already stored', async () => {
  const { id, token, send } = await newConversation(portal)
  assert.equal((await send('PUT', '/chunks/0', wavOf('once'))).status, 201)
  const there = await chunkFiles(id)
  const { db, pipelined } = backend.database
  const receive: FileStore['receive'] = async (...given) => ({
    ...(await backend.files.receive(...given)),
    keep: () => Promise.reject(new StorageFull()),
  })
  const parts = {
    ...lifecycle(),
    db,
    files: { ...backend.files, receive },
    quota: createQuota(db, createLimits(true)),
    recordChunk: createChunkRecorder(db, lifecycle()),
  }
  const conversation = await createParticipantTokens(pipelined)(id, token)
  await assert.rejects(
    putChunk(parts, conversation, { seq: 0, recordedAt: null, digests: [] }, Readable.from([wavOf('once')])),
    StorageFull,
  )
  assert.deepEqual(await chunkFiles(id), there)
})

test('a chunk that arrives while its conversation is erased leaves nothing behind', async () => {
  const { id, token, send } = await newConversation(portal)
  // More than is buffered before the first bytes are written.
  const bytes = Buffer.concat([wavOf('too late'), Buffer.alloc(600_000)])
  const { promise: erased, resolve } = Promise.withResolvers<void>()
  const body = ReadableStream.from(
    (async function* () {
      yield new Uint8Array(bytes.subarray(0, 500_000))
      await erased
      yield new Uint8Array(bytes.subarray(500_000))
    })(),
  )
  const reply = putStream(id, token, body)
  // Withdraws once the service has begun to read the chunk.
  await until(
    () => readdir(`${backend.filesFolder}/incoming`),
    (names) => names.length > 0,
  )
  assert.equal((await send('DELETE', '')).status, 204)
  await untilErased(id)
  resolve()
  assert.equal((await reply).status, 404)
  assert.deepEqual(await chunkFiles(id), [])
})

test('a chunk that exceeds the size during the upload gets 413 and leaves no file', async () => {
  const { id, token } = await newConversation(portal)
  const piece = new Uint8Array(4_096)
  piece.set(wavOf('long').subarray(0, 44))
  async function* pieces() {
    for (let n = 0; n <= (25 * 1024 * 1024) / piece.length; n++) yield piece
  }
  assert.equal((await putStream(id, token, ReadableStream.from(pieces()))).status, 413)
  assert.deepEqual(await chunkFiles(id), [])
  assert.deepEqual(await readdir(`${backend.filesFolder}/incoming`), [])
  await until(
    () => openFilesIn(backend.filesFolder),
    (paths) => paths.length === 0,
  )
})

/** Open files of this process. The path of a removed one ends with ` (deleted)`. */
async function openFilesIn(folder: string): Promise<string[]> {
  const descriptors = await readdir('/proc/self/fd').catch(() => [])
  const paths = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return paths.filter((path) => path.startsWith(folder))
}

test('the rejection of a file names every format that is accepted', async () => {
  const { send } = await newConversation(portal)
  const { status, body } = await send('PUT', '/chunks/0', Buffer.alloc(2_000, 'no audio'))
  assert.equal(status, 415)
  for (const format of ['WebM', 'MP4', 'Ogg', 'WAV', 'MP3', 'AAC', 'FLAC', 'AIFF', 'CAF'])
    assert.match(body.detail, new RegExp(`\\b${format}\\b`))
})
