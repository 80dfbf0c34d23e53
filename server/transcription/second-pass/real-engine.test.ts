import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { spokenWords, wordErrors } from '../../../bench/speech/word-errors.ts'
import { createEmbeddedTranscriber } from '../../../speech/index.ts'
import { newConversation } from '../../../test/support/conversations.ts'
import { scriptedSummarizer } from '../../../test/support/engines.ts'
import { until } from '../../../test/support/webhooks.ts'
import { portal, setUp } from '../../conversations/testing/setup.ts'

const SAMPLES = join(import.meta.dirname, '../../../speech/samples')
const FILE = 'nl-espeak-1.flac'
/** The models are loaded first, which takes long on a busy machine. */
const LIMIT_MS = 240_000
const samples: { file: string; text: string }[] = JSON.parse(
  readFileSync(join(SAMPLES, 'samples.json'), 'utf8'),
)
const expected = spokenWords(samples.find(({ file }) => file === FILE)?.text ?? '')

const engine = createEmbeddedTranscriber({ concurrency: 1, ffmpeg: null })
const hasBetterModel = engine.capabilities.models.best !== undefined
if (hasBetterModel)
  setUp({ engines: { transcriber: engine, summarizer: scriptedSummarizer() } }, { language: 'nl' })

const reason = 'needs `npm run setup:speech -- small` and 4 GiB of memory'
test('Whisper small improves a conversation in Dutch', {
  skip: !hasBetterModel && reason,
}, async (t) => {
  const { id, send } = await newConversation(portal)
  await send('PUT', '/chunks/0', readFileSync(join(SAMPLES, FILE)), { 'content-type': 'audio/flac' })
  await send('POST', '/finish')
  const record = (revision: number) =>
    until(
      async () => (await portal.owner.get(`/api/v2/conversations/${id}`)).body,
      (body) => body.revision === revision && body.status === 'done',
      LIMIT_MS,
    )
  await record(1)
  const errors = async (): Promise<number> => {
    const { body } = await portal.owner.get(`/api/v2/conversations/${id}/transcript?format=json`)
    const texts: string[] = body.entries.map(({ text }: { text: string }) => text)
    return wordErrors(expected, spokenWords(texts.join(' ')))
  }
  const before = await errors()
  const { transcript_model } = await record(2)
  const after = await errors()
  t.diagnostic(
    `${before} word errors of the fast models, ${after} of the better one, in ${expected.length} words`,
  )
  assert.equal(transcript_model, 'whisper-small')
  assert.ok(after < before, `${before} before, ${after} after`)
})
