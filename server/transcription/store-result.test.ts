import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { startBackend, type TestBackend } from '../../test/support/backend.ts'
import { newConversation, newPortal } from '../../test/support/conversations.ts'
import { recordClock, speak, wordClock } from '../../test/support/word-clock.ts'
import type { JobData, RunningJob } from '../background/queue.ts'
import { findFileChunks } from './find-file-chunks.ts'
import { INCOMPLETE_FILE, storeResult } from './store-result.ts'
import { type TranscribeParts, transcribeChunk } from './transcribe-chunk.ts'

let backend: TestBackend
before(async () => {
  // The test runs the jobs itself.
  backend = await startBackend({ enqueues: true })
})
after(() => backend.stop())

test('transcribes a chunk whose beginning arrived while it was marked as failed', async () => {
  const { db } = backend.database
  const enqueued: JobData[] = []
  const parts: TranscribeParts = {
    db,
    files: backend.files,
    transcriber: wordClock(speak([10])),
    emit: async () => '',
    log: createLog('silent'),
    jobs: { ...backend.jobs, enqueue: async (_tx, _name, data) => void enqueued.push(data) },
  }
  const { id, send } = await newConversation(await newPortal(backend))
  const transcribe = (seq: number): Promise<void> =>
    transcribeChunk(parts, jobOf({ conversation_id: id, seq }))
  const stateOf = async (seq: number) =>
    db
      .selectFrom('chunks')
      .select(['state', 'failure'])
      .where('conversation_id', '=', id)
      .where('seq', '=', seq)
      .executeTakeFirstOrThrow()

  await send('PUT', '/chunks/1', recordClock(2_000, 4_000, false))
  await send('POST', '/finish')
  const missing = await findFileChunks(db, id, 1, true)
  assert.ok(missing && 'isStartMissing' in missing)
  // The worker is paused here, and others continue.
  await send('PUT', '/chunks/0', recordClock(0, 2_000))
  await transcribe(0)
  assert.deepEqual(enqueued, [])
  await storeResult(parts, missing, { failure: INCOMPLETE_FILE }, 0)
  assert.deepEqual(enqueued, [{ conversation_id: id, seq: 1 }])
  await transcribe(1)
  assert.deepEqual(await stateOf(1), { state: 'transcribed', failure: null })
})

const jobOf = (data: JobData): RunningJob => ({
  data,
  projectId: null,
  priority: 0,
  retry: 0,
  isLast: false,
  signal: new AbortController().signal,
})
