import assert from 'node:assert/strict'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startBackend, type TestBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal, type Portal } from '../../test/support/conversations.ts'
import { wavOf } from '../../test/support/engines.ts'
import { chunkKey } from '../conversations/index.ts'
import type { RunningJob } from '../kernel/jobs.ts'
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
  urgency: 0,
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
  for (const retry of [0, 1]) await assert.rejects(joinNow(jobOf(id, 1, retry)), { code: 'EISDIR' })
  assert.equal((await conversationOf(id)).audio, null)
  await joinNow(jobOf(id, 1, 2))
  assert.equal((await conversationOf(id)).audio?.revision, 1)
})
