import assert from 'node:assert/strict'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { installFakeFfmpeg, uninstallFfmpeg } from '../../../media/testing/ffmpeg.ts'
import { fixture } from '../../../media/testing/fixtures.ts'
import { createLog } from '../../../platform/log.ts'
import type { FileStore } from '../../../storage/file-store.ts'
import { newConversation } from '../../../test/support/conversations.ts'
import { wavOf } from '../../../test/support/engines.ts'
import type { RunningJob } from '../../background/queue.ts'
import { chunkKey, joinedKey } from '../index.ts'
import { jobOf as attemptOf, backend, portal, query, setUp } from '../testing/setup.ts'
import { joinConversationAudio } from './join-conversation-audio.ts'

// The tests run the jobs themselves.
setUp({ enqueues: true })

/** A conversation of two seconds, in two chunks. */
async function record(): Promise<string> {
  const { id, send } = await newConversation(portal)
  for (const seq of [0, 1])
    assert.equal((await send('PUT', `/chunks/${seq}`, wavOf(`Part ${seq}`))).status, 201)
  return id
}

const jobOf = (conversation_id: string, revision: number, retry = 0): RunningJob =>
  attemptOf({ conversation_id, revision }, retry)

const logged: string[] = []
const log = createLog('warn', { write: (line) => void logged.push(line) })

const joinNow = (job: RunningJob, files = backend.files) =>
  joinConversationAudio({ db: backend.database.db, files, log }, job)

const conversationOf = async (id: string) =>
  (await query('select audio, audio_failure from conversations where id = $1', [id]))[0]

test('retries while a chunk is unreadable on disk, then joins the others', async () => {
  const id = await record()
  const [{ digest }] = await query('select digest from chunks where conversation_id = $1 and seq = 1', [id])
  const path = join(backend.filesFolder, 'files', chunkKey(id, 1, digest))
  await rm(path)
  // A folder can be opened, but not read.
  await mkdir(path)
  for (const retry of [0, 5]) await assert.rejects(joinNow(jobOf(id, 1, retry)), { code: 'EISDIR' })
  assert.equal((await conversationOf(id)).audio, null)
  await joinNow(jobOf(id, 1, 6))
  assert.equal((await conversationOf(id)).audio?.revision, 1)
})

test('records a failure after the last attempt, but not when the service stops', async () => {
  const id = await record()
  const failing: FileStore = { ...backend.files, receive: () => Promise.reject(new Error('disk away')) }
  const failureOf = async () => (await conversationOf(id)).audio_failure
  await assert.rejects(joinNow(jobOf(id, 1), failing), /disk away/)
  const aborted = new AbortController()
  const stopped: FileStore = {
    ...failing,
    receive: () => {
      aborted.abort()
      return Promise.reject(new Error('stopped'))
    },
  }
  await assert.rejects(joinNow({ ...jobOf(id, 1), isLast: true, signal: aborted.signal }, stopped), /stopped/)
  assert.equal(await failureOf(), null)
  assert.deepEqual(logged, [])
  await joinNow({ ...jobOf(id, 1), isLast: true }, failing)
  assert.equal(await failureOf(), 'internal')
  assert.match(logged.join(''), /Joining the chunks of a conversation failed/)
  await joinNow(jobOf(id, 1))
  assert.equal(await failureOf(), null)
})

const setRevision = (id: string, revision: number) =>
  backend.database.db.updateTable('conversations').set({ revision }).where('id', '=', id).execute()

/** A file store that first runs `before` when the joined file is stored. */
const filesAfter = (before: () => Promise<unknown>): FileStore => ({
  ...backend.files,
  receive: async (content, maxBytes) => {
    await before()
    return backend.files.receive(content, maxBytes)
  },
})

const sizesOf = (id: string) =>
  Promise.all([1, 2].map((revision) => backend.files.size(joinedKey(id, revision))))

test('a slow join of an earlier revision keeps the audio of the newer one', async () => {
  const id = await record()
  const files = filesAfter(async () => {
    await setRevision(id, 2)
    await joinNow(jobOf(id, 2))
  })
  await joinNow(jobOf(id, 1), files)
  assert.equal((await conversationOf(id)).audio?.revision, 2)
  const [first, second] = await sizesOf(id)
  assert.equal(first, null)
  assert.ok(second)
})

test('keeps the audio of a revision until a newer one is joined', async () => {
  const id = await record()
  await joinNow(jobOf(id, 1))
  // The same job again, as after a lost lease.
  await joinNow(
    jobOf(id, 1),
    filesAfter(() => setRevision(id, 2)),
  )
  assert.equal((await conversationOf(id)).audio?.revision, 1)
  assert.ok((await sizesOf(id))[0])
  await joinNow(jobOf(id, 2))
  const [first, second] = await sizesOf(id)
  assert.equal(first, null)
  assert.ok(second)
})

test('a recording that only ffmpeg can decode has audio once ffmpeg is installed', async (t) => {
  const { id, send } = await newConversation(portal)
  assert.equal((await send('PUT', '/chunks/0', fixture('alac.m4a'))).status, 201)
  const read = () => portal.owner.get(`/api/v2/conversations/${id}/audio`)
  uninstallFfmpeg(t)
  await joinNow(jobOf(id, 1))
  const { status, body } = await read()
  assert.deepEqual([status, body.code], [410, 'gone'])
  assert.match(body.detail, /only with ffmpeg\. Install ffmpeg/)
  installFakeFfmpeg(t)
  await joinNow(jobOf(id, 1))
  const audio = await read()
  assert.deepEqual([audio.status, audio.headers.get('content-type')], [200, 'audio/webm'])
})

test('leaves no temporary file if the joined file cannot be stored', async () => {
  const id = await record()
  await mkdir(join(backend.filesFolder, 'files', joinedKey(id, 1), 'in the way'), { recursive: true })
  await assert.rejects(joinNow(jobOf(id, 1)))
  assert.deepEqual(await readdir(join(backend.filesFolder, 'incoming')), [])
})
