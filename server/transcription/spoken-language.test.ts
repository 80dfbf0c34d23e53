import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { newConversation } from '../../test/support/conversations.ts'
import { recordClock, wordClock } from '../../test/support/word-clock.ts'
import { backend, jobOf, portal, setUp } from '../conversations/testing/setup.ts'
import { type TranscribeParts, transcribeChunk } from './transcribe-chunk.ts'
import type { Transcriber } from './transcriber.ts'

// The test runs the jobs itself.
setUp({ enqueues: true })

const SPOKEN = [
  { language: 'ja', seconds: 3, confidence: 0.15, text: 'や' },
  { language: 'fr', seconds: 2, confidence: 0.6, text: '[unclear]' },
  { language: 'nl', seconds: 2, confidence: 0.8, text: 'Dat denk ik ook.' },
  { language: 'en', seconds: 2, confidence: 0.9, text: 'We need more benches.' },
  // Most text in a language that the engine knows little of is unclear.
  { language: 'nl', seconds: 3, confidence: 0.5, text: 'Ja, we zijn een pijn de klaar.' },
]

/** One segment per chunk. */
function scripted(): Transcriber {
  let number = 0
  return {
    capabilities: { ...wordClock([]).capabilities, preRoll: false },
    async transcribe() {
      const { seconds, ...segment } = SPOKEN[number++] ?? assert.fail('too many chunks')
      const segments = [{ start: 0, end: seconds, ...segment }]
      return { language: segment.language, duration: seconds, isWhole: true, segments }
    },
    close: async () => {},
  }
}

test('a recording has the language of most of its speech, not that of its first chunk', async () => {
  const parts: TranscribeParts = {
    db: backend.database.db,
    files: backend.files,
    transcriber: scripted(),
    emit: async () => '',
    log: createLog('silent'),
    jobs: { ...backend.jobs, enqueue: async () => {} },
  }
  const { id, send } = await newConversation(portal)
  const languages: string[] = []
  for (const [seq, { seconds }] of SPOKEN.entries()) {
    await send('PUT', `/chunks/${seq}`, recordClock(0, seconds * 1_000))
    await transcribeChunk(parts, jobOf({ conversation_id: id, seq }))
    languages.push((await portal.owner.get(`/api/v2/conversations/${id}`)).body.language)
  }
  assert.deepEqual(languages, ['ja', 'ja', 'nl', 'en', 'nl'])
})
