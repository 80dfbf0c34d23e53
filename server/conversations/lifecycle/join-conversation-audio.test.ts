import assert from 'node:assert/strict'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { FileStore } from '../../../storage/file-store.ts'
import { startBackend, type TestBackend } from '../../../test/support/backend.ts'
import { newConversation, newPortal, type Portal } from '../../../test/support/conversations.ts'
import { wavOf } from '../../../test/support/engines.ts'
import type { RunningJob } from '../../background/queue.ts'
import { chunkKey, joinedKey } from '../index.ts'
import { joinConversationAudio } from './join-conversation-audio.ts'

let backend: TestBackend
let portal: Portal
before(async () => {
  // Its jobs are done by the tests themselves.
  backend = await startBackend({ enqueues: true })
  portal = await newPortal(backend)
})
after(() => backend.stop())

/** A conversation of two seconds, in two chunks. */
async function record(): Promise<string> {
  const { id, send } = await newConversation(portal)
  for (const seq of [0, 1])
    assert.equal((await send('PUT', `/chunks/${seq}`, wavOf(`Part ${seq}`))).status, 201)
  return id
}

const jobOf = (conversation_id: string, revision: number, retry = 0): RunningJob => ({
  data: { conversation_id, revision },
  projectId: null,
  priority: 0,
  retry,
  isLast: false,
  signal: new AbortController().signal,
})

const joinNow = (job: RunningJob, files = backend.files) =>
  joinConversationAudio({ db: backend.database.db, files }, job)

const conversationOf = (id: string) =>
  backend.database.db
    .selectFrom('conversations')
    .select('audio')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

test('a chunk that the disk does not give is waited for, and then the others are joined without it', async () => {
  const id = await record()
  const { digest } = await backend.database.db
    .selectFrom('chunks')
    .select('digest')
    .where('conversation_id', '=', id)
    .where('seq', '=', 1)
    .executeTakeFirstOrThrow()
  const path = join(backend.filesFolder, 'files', chunkKey(id, 1, digest))
  await rm(path)
  // Opened like a file, and refused when it is read.
  await mkdir(path)
  for (const retry of [0, 5]) await assert.rejects(joinNow(jobOf(id, 1, retry)), { code: 'EISDIR' })
  assert.equal((await conversationOf(id)).audio, null)
  await joinNow(jobOf(id, 1, 6))
  assert.equal((await conversationOf(id)).audio?.revision, 1)
})

test('a join whose last try fails is given up, and one that is cut off by a stop is not', async () => {
  const id = await record()
  const failing: FileStore = { ...backend.files, receive: () => Promise.reject(new Error('disk away')) }
  const failureOf = async () =>
    (
      await backend.database.db
        .selectFrom('conversations')
        .select('audio_failure')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).audio_failure
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
  await joinNow({ ...jobOf(id, 1), isLast: true }, failing)
  assert.equal(await failureOf(), 'internal')
  await joinNow(jobOf(id, 1))
  assert.equal(await failureOf(), null)
})

const setRevision = (id: string, revision: number) =>
  backend.database.db.updateTable('conversations').set({ revision }).where('id', '=', id).execute()

/** The store, for one who is slow: all of that happens before the joint file is taken in. */
const filesAfter = (meanwhile: () => Promise<unknown>): FileStore => ({
  ...backend.files,
  receive: async (content, maxBytes) => {
    await meanwhile()
    return backend.files.receive(content, maxBytes)
  },
})

const sizesOf = (id: string) =>
  Promise.all([1, 2].map((revision) => backend.files.size(joinedKey(id, revision))))

test('a slow join of what was heard before leaves the audio of what was heard since', async () => {
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

test('audio that is played stays until there is newer', async () => {
  const id = await record()
  await joinNow(jobOf(id, 1))
  // The same job once more, as after a lost lease.
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

test('a joint file that can’t get its name is not left behind', async () => {
  const id = await record()
  await mkdir(join(backend.filesFolder, 'files', joinedKey(id, 1), 'in the way'), { recursive: true })
  await assert.rejects(joinNow(jobOf(id, 1)))
  assert.deepEqual(await readdir(join(backend.filesFolder, 'incoming')), [])
})
