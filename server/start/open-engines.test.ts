import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { SAMPLES } from '../../media/testing/fixtures.ts'
import { readConfig } from '../config.ts'
import { reply, say, start } from '../summaries/engines/openai/testing/fake-model.ts'
import { GOOD, request } from '../summaries/engines/openai/testing/summaries.ts'
import { openEngines } from './open-engines.ts'

const signal = new AbortController().signal

test('speech and text models can be two servers, each with its own key and model', async (t) => {
  const speech = await start(
    t,
    say(200, { text: 'Hello.', segments: [{ start: 0, end: 1, text: 'Hello.' }] }),
  )
  const text = await start(t, reply(GOOD))
  const shared = await start(t, say(500, ''))
  const environment = {
    TRANSCRIBER: 'openai',
    SUMMARIZER: 'openai',
    OPENAI_BASE_URL: shared.url,
    OPENAI_API_KEY: 'shared',
    TRANSCRIBE_BASE_URL: speech.url,
    TRANSCRIBE_API_KEY: 'of-speech',
    TRANSCRIBE_MODEL: 'speech-model',
    SUMMARIZE_BASE_URL: text.url,
    SUMMARIZE_MODEL: 'writes',
    SUMMARIZE_MAX_TOKENS: '700',
  }
  const { transcriber, summarizer } = await openEngines(readConfig(environment))
  t.after(() => Promise.all([transcriber.close(), summarizer.close()]))
  const path = join(SAMPLES, 'en-librivox-1.flac')
  await transcriber.transcribe({ path, container: 'flac', language: null, hotwords: [], from: 0, signal })
  await summarizer.summarize(request())
  assert.equal(speech.asked[0]?.headers.authorization, 'Bearer of-speech')
  assert.equal((await speech.asked[0]?.form())?.get('model'), 'speech-model')
  assert.equal(text.asked[0]?.headers.authorization, 'Bearer shared')
  const { model, max_tokens } = text.asked[0]?.json() ?? {}
  assert.deepEqual([model, max_tokens], ['writes', 700])
  assert.equal(shared.asked.length, 0)
})
