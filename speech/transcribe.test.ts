import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { decodeAudio } from '../media/decode/decode.ts'
import { framesOf } from '../media/decode/frames.ts'
import { DECODE_LIMITS } from '../media/decode/limits.ts'
import { SAMPLES, wavOf, writeTemporary } from '../media/testing/fixtures.ts'
import { createModels } from './models/models.ts'
import { transcribe } from './transcribe.ts'

const setup = {
  models: createModels(2),
  ffmpeg: null,
  limits: DECODE_LIMITS,
  english: 'moonshine' as const,
  signal: new AbortController().signal,
  onStep: () => {},
}

/** Half a minute of speech without pauses: two sentences, repeated, without the silence between words. */
async function runningSpeech(t: TestContext): Promise<string> {
  const source = { path: join(SAMPLES, 'en-librivox-1.flac'), container: 'flac' as const, skip: 0 }
  const frames = await Array.fromAsync(framesOf(decodeAudio({ ...setup, ...source }), 320))
  const loud = frames.filter((frame) => Math.hypot(...frame) > 0.08)
  const floats = Buffer.concat([...loud, ...loud].map((frame) => Buffer.from(frame.buffer)))
  return writeTemporary(t, 'running', wavOf(floats, { rate: 16_000, channels: 1, isFloat: true, bytes: 4 }))
}

test('splits continuous speech into segments without losing or repeating a word', async (t) => {
  const job = {
    path: await runningSpeech(t),
    container: 'wav' as const,
    language: 'en',
    hotwords: [],
    from: 0,
  }
  const { segments, duration } = await transcribe(job, setup)
  assert.ok(duration > 30 && segments.length > 1)
  const words = segments.flatMap(({ text }) => text.toLowerCase().match(/[a-z]+/g) ?? [])
  const count = (word: string): number => words.filter((other) => other === word).length
  for (const word of ['dashwood', 'prudently', 'selfish', 'married', 'respectable'])
    assert.equal(count(word), 2, `${word}: ${words.join(' ')}`)
  assert.equal(count('amiable'), 4, words.join(' '))
  assert.ok(Math.abs(words.length - 2 * 69) <= 4, `${words.length} words`)
  segments.slice(1).forEach(({ start }, index) => {
    assert.equal(start, segments[index]?.end)
  })
})
