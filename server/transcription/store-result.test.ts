import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { newConversation } from '../../test/support/conversations.ts'
import { recordClock, speak, wordClock } from '../../test/support/word-clock.ts'
import type { JobData } from '../background/queue.ts'
import { INCOMPLETE } from '../conversations/index.ts'
import { backend, jobOf, portal, query, setUp } from '../conversations/testing/setup.ts'
import { findFileChunks } from './find-file-chunks.ts'
import { storeResult } from './store-result.ts'
import { type TranscribeParts, transcribeChunk } from './transcribe-chunk.ts'

// The test runs the jobs itself.
setUp({ enqueues: true })

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
  const { id, send } = await newConversation(portal)
  const transcribe = (seq: number): Promise<void> =>
    transcribeChunk(parts, jobOf({ conversation_id: id, seq }))
  await send('PUT', '/chunks/1', recordClock(2_000, 4_000, false))
  await send('POST', '/finish')
  const missing = await findFileChunks(parts, id, 1, true)
  assert.ok(missing)
  // The worker is paused here, and others continue.
  await send('PUT', '/chunks/0', recordClock(0, 2_000))
  await transcribe(0)
  assert.deepEqual(enqueued, [])
  await storeResult(parts, missing, { failure: INCOMPLETE }, 0)
  assert.deepEqual(enqueued, [{ conversation_id: id, seq: 1 }])
  await transcribe(1)
  const [chunk] = await query('select state, failure from chunks where conversation_id = $1 and seq = 1', [
    id,
  ])
  assert.deepEqual(chunk, { state: 'transcribed', failure: null })
})
