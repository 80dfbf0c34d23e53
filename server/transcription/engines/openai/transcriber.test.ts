import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { decodeAudio } from '../../../../media/decode/decode.ts'
import { DECODE_LIMITS } from '../../../../media/decode/limits.ts'
import { writeWav } from '../../../../media/split/wav.ts'
import { recordTone, SAMPLES, temporaryFolder } from '../../../../media/testing/fixtures.ts'
import { createVoiceDetector, withConfirmedSlurs } from '../../../../speech/index.ts'
import type { EngineFailure } from '../../../engines/engine-failure.ts'
import {
  type FakeModel,
  type ModelHandler,
  refuse,
  say,
  start,
} from '../../../summaries/engines/openai/testing/fake-model.ts'
import type { TranscribeRequest } from '../../transcriber.ts'
import { createOpenAiTranscriber, type OpenAiTranscriberOptions } from './transcriber.ts'

const transcriberOf = (fake: FakeModel, more: Partial<OpenAiTranscriberOptions> = {}) =>
  createOpenAiTranscriber({ server: fake.client(), model: 'whisper-1', ...more })

const request = (path: string, more: Partial<TranscribeRequest> = {}): TranscribeRequest => ({
  path,
  container: 'wav',
  language: null,
  hotwords: [],
  from: 0,
  signal: new AbortController().signal,
  ...more,
})

const verbose = (segments: unknown[], more: Record<string, unknown> = {}) =>
  say(200, { task: 'transcribe', language: 'english', duration: 4, text: 'all of it', segments, ...more })
const TWO = [
  { id: 0, start: 0, end: 1.5, text: ' Hello there.', avg_logprob: -0.2, no_speech_prob: 0.01, tokens: [1] },
  { id: 1, start: 1.5, end: 3, text: ' How are you?' },
]

test('uploads a recording with name, type, language and hotwords, and returns segments', async (t) => {
  const fake = await start(t, verbose(TWO))
  const path = await recordTone(t, 4)
  const asks = { language: 'en', hotwords: ['Parley', 'Jansen'] }
  const result = await transcriberOf(fake).transcribe(request(path, asks))
  assert.deepEqual(result, {
    language: 'en',
    duration: 4,
    isWhole: true,
    segments: [
      { start: 0, end: 1.5, text: 'Hello there.', confidence: Math.exp(-0.2) },
      { start: 1.5, end: 3, text: 'How are you?' },
    ],
  })
  const [asked] = fake.asked
  assert.equal(asked?.path, '/v1/audio/transcriptions')
  const form = await asked?.form()
  const file = form?.get('file') as File
  assert.deepEqual([file.name, file.type, file.size], ['recording.wav', 'audio/wav', 4 * 32_000 + 44])
  const fields = ['model', 'response_format', 'timestamp_granularities[]', 'language', 'prompt']
  assert.deepEqual(
    fields.map((name) => form?.get(name)),
    ['whisper-1', 'verbose_json', 'segment', 'en', 'Parley, Jansen'],
  )
})

test('leaves out hotwords beyond the limit, as whole words', async (t) => {
  const fake = await start(t, verbose(TWO))
  const hotwords = Array.from({ length: 300 }, (_, index) => `word${index}`)
  await transcriberOf(fake).transcribe(request(await recordTone(t, 4), { hotwords }))
  const prompt = (await fake.asked[0]?.form())?.get('prompt')
  assert.ok(typeof prompt === 'string' && prompt.length <= 800 && /, word\d+$/.test(prompt))
  assert.ok(hotwords.includes(prompt.split(', ').at(-1) ?? ''))
})

test('falls back to json after a rejected verbose_json, and remembers it', async (t) => {
  const refused = refuse("response_format 'verbose_json' is not compatible")
  const fake = await start(t, refused, say(200, { text: 'Good day.' }))
  const transcriber = transcriberOf(fake)
  const path = await recordTone(t, 4)
  for (let round = 0; round < 2; round++)
    assert.deepEqual(await transcriber.transcribe(request(path, { language: 'nl' })), {
      language: 'nl',
      duration: 4,
      isWhole: true,
      segments: [{ start: 0, end: 4, text: 'Good day.' }],
    })
  const formats = await Promise.all(fake.asked.map(async (one) => (await one.form()).get('response_format')))
  assert.deepEqual(formats, ['verbose_json', 'json', 'json'])
})

test('without timestamps, a long recording is uploaded in parts, and each text gets the times of its part', async (t) => {
  const fake = await start(t, refuse('verbose_json is not supported'), say(200, { text: 'Something.' }))
  const path = await recordTone(t, 20, [8, 16])
  const result = await transcriberOf(fake, { untimedSeconds: 10 }).transcribe(request(path))
  assert.equal(fake.asked.length, 1 + result.segments.length)
  assert.ok(result.segments.length >= 2)
  assert.equal(result.segments[0]?.start, 0)
  assert.equal(result.segments.at(-1)?.end, 20)
})

test('a recording above the limit is uploaded in parts, with times of the whole', async (t) => {
  const fake = await start(t, verbose([{ start: 1, end: 2, text: 'Here.' }]))
  const result = await transcriberOf(fake, { maxSeconds: 10 }).transcribe(request(await recordTone(t, 25)))
  assert.equal(result.duration, 25)
  assert.equal(result.segments.length, fake.asked.length)
  for (const [index, { start, end }] of result.segments.entries()) {
    assert.ok(Math.abs(end - start - 1) < 1e-9)
    assert.ok(start >= (result.segments[index - 1]?.end ?? 0))
  }
})

test('audio before `from` is neither uploaded nor returned', async (t) => {
  const fake = await start(t, verbose([{ start: 0, end: 1, text: 'New.' }]))
  const result = await transcriberOf(fake).transcribe(request(await recordTone(t, 20), { from: 16 }))
  assert.deepEqual(result, {
    language: 'en',
    duration: 20,
    isWhole: true,
    segments: [{ start: 16, end: 17, text: 'New.' }],
  })
  const file = (await fake.asked[0]?.form())?.get('file')
  assert.equal(file instanceof File && file.size, 4 * 32_000 + 44)
  const nothing = await transcriberOf(fake).transcribe(request(await recordTone(t, 20), { from: 20 }))
  assert.deepEqual(nothing, { language: null, duration: 20, isWhole: true, segments: [] })
  assert.equal(fake.asked.length, 1)
})

test('the pre-roll is uploaded before the recording, with times below 0', async (t) => {
  const fake = await start(t, verbose([{ start: 0.5, end: 5, text: 'Whole.' }]))
  const [first, second, own] = [await recordTone(t, 6), await recordTone(t, 1), await recordTone(t, 4)]
  const preRoll = [
    { path: first, container: 'wav' as const, from: 4 },
    { path: second, container: 'wav' as const, from: 0 },
  ]
  const result = await transcriberOf(fake).transcribe(request(own, { preRoll }))
  assert.deepEqual([result.duration, result.segments], [4, [{ start: -2.5, end: 2, text: 'Whole.' }]])
  const file = (await fake.asked[0]?.form())?.get('file')
  assert.equal(file instanceof File && file.size, (2 + 1 + 4) * 32_000 + 44)
})

test('a pre-roll that cannot be decoded is left out', async (t) => {
  const fake = await start(t, verbose([{ start: 0, end: 1, text: 'Here.' }]))
  const own = await recordTone(t, 4)
  const preRoll = [{ path: own, container: 'mp4' as const, from: 1 }]
  const result = await transcriberOf(fake).transcribe(request(own, { preRoll }))
  assert.deepEqual([result.duration, result.segments], [4, [{ start: 0, end: 1, text: 'Here.' }]])
})

test('does not offer a pre-roll if the server returns no timestamps', async (t) => {
  const fake = await start(t, say(200, { text: 'Good day.' }))
  const transcriber = transcriberOf(fake)
  const abilities = () => [transcriber.capabilities.timestamps, transcriber.capabilities.preRoll]
  assert.deepEqual(abilities(), [true, true])
  await transcriber.transcribe(request(await recordTone(t, 4)))
  assert.deepEqual(abilities(), [false, false])
})

test('drops segments that end before `from`', async (t) => {
  const fake = await start(
    t,
    verbose([
      { start: 0, end: 1, text: 'Old.' },
      { start: 1, end: 3, text: 'Both.' },
      { start: 3, end: 4, text: 'New.' },
    ]),
  )
  const whole = async function* (path: string) {
    yield { path, container: 'wav' as const, start: 0, end: 4 }
  }
  const path = await recordTone(t, 4)
  const result = await transcriberOf(fake, { split: whole }).transcribe(request(path, { from: 2 }))
  assert.deepEqual(result.segments, [
    { start: 2, end: 3, text: 'Both.' },
    { start: 3, end: 4, text: 'New.' },
  ])
})

test('reads the responses of different servers', async (t) => {
  const whole = [{ start: 0, end: 4, text: 'All.' }]
  const cases: [name: string, handler: ModelHandler, segments: unknown, language: string | null][] = [
    [
      'numbers as text',
      verbose([{ start: '0.5', end: '2', text: 'a' }], { duration: '4' }),
      [{ start: 0.5, end: 2, text: 'a' }],
      'en',
    ],
    [
      'words that are null',
      verbose([{ start: 0, end: 2, text: 'a' }], { words: null }),
      [{ start: 0, end: 2, text: 'a' }],
      'en',
    ],
    ['no segments', say(200, { text: ' All. ', language: 'nl' }), whole, 'nl'],
    ['null segments', say(200, { text: 'All.', language: 'Dutch', segments: null }), whole, 'nl'],
    ['languages', say(200, { text: 'All.', languages: ['de-DE'] }), whole, 'de'],
    ['plain text', say(200, 'All.\n', { 'content-type': 'text/plain; charset=utf-8' }), whole, null],
    [
      'times in other units',
      verbose([{ start: 0, end: 2_000_000_000, text: 'a' }], { text: 'All.' }),
      whole,
      'en',
    ],
    ['times that run backwards', verbose([{ start: 3, end: 1, text: 'a' }], { text: 'All.' }), whole, 'en'],
    [
      'a little beyond the end',
      verbose([{ start: 3, end: 4.4, text: 'a' }]),
      [{ start: 3, end: 4, text: 'a' }],
      'en',
    ],
    [
      'overlaps',
      verbose([
        { start: 2, end: 3, text: 'b' },
        { start: 0, end: 2.5, text: 'a' },
      ]),
      [
        { start: 0, end: 2.5, text: 'a' },
        { start: 2.5, end: 3, text: 'b' },
      ],
      'en',
    ],
    [
      'made up in a silence',
      verbose([{ start: 0, end: 3, text: 'Thank you.', no_speech_prob: 0.9, avg_logprob: -1.2 }]),
      [],
      null,
    ],
    ['nothing said', say(200, { text: '', language: 'english', segments: [] }), [], null],
  ]
  const path = await recordTone(t, 4)
  for (const [name, handler, segments, language] of cases) {
    const fake = await start(t, handler)
    const result = await transcriberOf(fake).transcribe(request(path))
    assert.deepEqual([result.segments, result.language], [segments, language], name)
  }
})

test('classifies unusable responses', async (t) => {
  const html = { 'content-type': 'text/html' }
  const cases: [name: string, handler: ModelHandler, code: EngineFailure['code']][] = [
    ['a page', say(200, '<html>Sign in</html>', html), 'unavailable'],
    ['broken JSON', say(200, '{"text": "half'), 'unavailable'],
    ['another object', say(200, { error: 'no' }), 'unavailable'],
    ['nothing', say(200, ''), 'unavailable'],
    ['too large', say(413, ''), 'unreadable'],
    ['bad sound', refuse('Invalid file format.'), 'unreadable'],
    ['a language', refuse('Language xx is not supported.', 'unsupported_language'), 'unsupported_language'],
    ['an unknown model', say(404, { detail: 'Model x not installed' }), 'misconfigured'],
  ]
  const path = await recordTone(t, 4)
  for (const [name, handler, code] of cases) {
    const fake = await start(t, handler)
    await assert.rejects(transcriberOf(fake).transcribe(request(path)), { name: 'EngineFailure', code }, name)
  }
})

test('sends the parameters of a diarising model', async (t) => {
  const fake = await start(
    t,
    verbose([{ id: 'seg_1', type: 'transcript.text.segment', speaker: 'A', start: 0, end: 2, text: 'a' }]),
  )
  const transcriber = transcriberOf(fake, { model: 'gpt-4o-transcribe-diarize' })
  const result = await transcriber.transcribe(request(await recordTone(t, 4), { hotwords: ['Parley'] }))
  assert.deepEqual(result.segments, [{ start: 0, end: 2, text: 'a', speaker: 'A' }])
  const form = await fake.asked[0]?.form()
  assert.deepEqual(
    ['response_format', 'chunking_strategy', 'prompt', 'timestamp_granularities[]'].map((name) =>
      form?.get(name),
    ),
    ['diarized_json', 'auto', null, null],
  )
})

test('speakers of different parts have different labels, because the server labels each part on its own', async (t) => {
  const fake = await start(t, verbose([{ speaker: 'A', start: 1, end: 2, text: 'Here.' }]))
  const options = { model: 'gpt-4o-transcribe-diarize', maxSeconds: 10 }
  const result = await transcriberOf(fake, options).transcribe(request(await recordTone(t, 25)))
  assert.deepEqual(
    result.segments.map(({ speaker }) => speaker),
    ['A', 'A-2', 'A-3'],
  )
})

test('segments of a part in another language name it', async (t) => {
  const segment = [{ start: 1, end: 2, text: 'Here.' }]
  const fake = await start(
    t,
    verbose(segment, { text: 'a longer text' }),
    verbose(segment, { language: 'german', text: 'hier' }),
    verbose(segment, { text: 'a longer text' }),
  )
  const { language, segments } = await transcriberOf(fake, { maxSeconds: 10 }).transcribe(
    request(await recordTone(t, 25)),
  )
  assert.deepEqual([language, segments.map((one) => one.language)], ['en', [undefined, 'de', undefined]])
})

test('reads how sure the server is of segments and words', async (t) => {
  const word = { word: ' Hello', start: 0, end: 0.5, probability: 0.75 }
  const first = { start: 0, end: 1, text: 'Hello', avg_logprob: -0.1, no_speech_prob: 0.7 }
  const second = { start: 1, end: 2, text: 'there', avg_logprob: -2, no_speech_prob: 0 }
  const read = async (segments: object[], more = {}) => {
    const fake = await start(t, verbose(segments, more))
    return (await transcriberOf(fake).transcribe(request(await recordTone(t, 4)))).segments
  }
  const words = [{ text: 'Hello', start: 0, end: 0.5, confidence: 0.75 }]
  const [one, two] = await read([{ ...first, words: [word] }, second])
  assert.deepEqual([one?.words, two?.words], [words, undefined])
  assert.ok(Math.abs((one?.confidence ?? 0) - 0.3) < 1e-9, 'no more than the probability of speech')
  assert.equal(two?.confidence, Math.exp(-2))
  const [listed] = await read([first, second], { words: [word] })
  assert.deepEqual(listed?.words, words)
  const zeros = await read([first, second].map((segment) => ({ ...segment, avg_logprob: 0 })))
  assert.deepEqual(
    zeros.map(({ confidence }) => confidence),
    [undefined, undefined],
  )
  const withoutProbability = await read([first], { words: [{ word: 'Hello', start: 0, end: 1 }] })
  assert.equal(withoutProbability[0]?.words, undefined)
})

test('a language that was not chosen for the recording is left to the server', async (t) => {
  const fake = await start(t, verbose(TWO, { language: 'german' }))
  const path = await recordTone(t, 4)
  const { language } = await transcriberOf(fake).transcribe(
    request(path, { language: 'en', isChosen: false }),
  )
  assert.equal((await fake.asked[0]?.form())?.get('language'), null)
  assert.equal(language, 'de')
})

const voice = createVoiceDetector()
after(() => voice.close())

test('uploads no recording without speech, by the voice detection of the embedded engine', async (t) => {
  const fake = await start(t, verbose([{ start: 1, end: 4, text: 'Thank you for watching.' }]))
  const transcriber = transcriberOf(fake, { voice })
  const silence = join(temporaryFolder(t), 'silence.wav')
  await writeWav(silence, new Int16Array(10 * 16_000), 16_000)
  const nothing = await transcriber.transcribe(request(silence))
  assert.deepEqual(nothing, { language: null, duration: 10, isWhole: true, segments: [] })
  assert.equal(fake.asked.length, 0)
  const speech = join(temporaryFolder(t), 'speech.wav')
  await writeWav(speech, await sentence(), 16_000)
  const { segments } = await transcriber.transcribe(request(speech))
  assert.deepEqual([fake.asked.length, segments.length], [1, 1])
})

test('uploads a long silence within a recording in no request, and returns the times of the recording', async (t) => {
  const speech = await sentence()
  const seconds = speech.length / 16_000
  const path = join(temporaryFolder(t), 'pauses.wav')
  const pause = 3
  const silence = new Int16Array(pause * 16_000)
  await writeWav(path, concatenated([silence, speech, silence, speech, silence]), 16_000)
  // The server finds the speech at the start and at the end of the file that it gets.
  const uploaded = 2 * (seconds + 1)
  const word = { word: 'First', start: 0.5, end: 1, probability: 0.9 }
  const answer = {
    text: 'First. Second.',
    segments: [
      { start: 0.5, end: uploaded / 2 - 0.5, text: 'First.', words: [word] },
      { start: uploaded / 2 + 0.5, end: uploaded - 0.5, text: 'Second.' },
    ],
  }
  const fake = await start(t, say(200, answer))
  const { segments, duration } = await transcriberOf(fake, { voice }).transcribe(request(path))
  assert.equal(fake.asked.length, 1)
  const file = (await fake.asked[0]?.form())?.get('file') as File
  assert.ok(Math.abs((file.size - 44) / 32_000 - uploaded) < 1, `${(file.size - 44) / 32_000} s uploaded`)
  assert.ok(Math.abs(duration - 3 * pause - 2 * seconds) < 1e-6)
  const times = segments.flatMap(({ start, end }) => [start, end])
  const expected = [pause, pause + seconds, 2 * pause + seconds, 2 * (pause + seconds)]
  for (const [index, time] of times.entries())
    assert.ok(Math.abs(time - (expected[index] ?? 0)) < 0.7, `${times.join()}, expected ${expected.join()}`)
  assert.ok(Math.abs((segments[0]?.words?.[0]?.start ?? 0) - pause) < 0.7)
})

/** Seven seconds of speech. */
const sentence = async (): Promise<Int16Array> => {
  const path = join(SAMPLES, 'en-librivox-1.flac')
  const signal = new AbortController().signal
  const blocks = await Array.fromAsync(
    decodeAudio({ path, container: 'flac', ffmpeg: null, limits: DECODE_LIMITS, signal, skip: 0 }),
  )
  return concatenated(blocks.map((block) => Int16Array.from(block, (sample) => sample * 0x7fff))).slice(
    0,
    7 * 16_000,
  )
}

const concatenated = (parts: readonly Int16Array[]): Int16Array =>
  Int16Array.from(parts.flatMap((part) => [...part]))

test('uploads the whole recording if the detection fails', async (t) => {
  const fake = await start(t, verbose(TWO))
  const path = await recordTone(t, 4)
  for (const find of [async () => null, () => Promise.reject(new Error('no model'))]) {
    const transcriber = transcriberOf(fake, { voice: { find, close: async () => {} } })
    assert.equal((await transcriber.transcribe(request(path))).segments.length, 2)
  }
})

test('a slur that the server is unsure of is printed only if a second transcription contains it', async (t) => {
  const path = await recordTone(t, 4)
  const said = (text: string, avg_logprob: number) =>
    verbose([{ start: 0, end: 1.5, text, avg_logprob }], { language: 'german', text })
  const transcribed = async (...handlers: ModelHandler[]) => {
    const fake = await start(t, ...handlers)
    const { segments } = await transcriberOf(fake, { confirmSlurs: withConfirmedSlurs }).transcribe(
      request(path),
    )
    return { text: segments[0]?.text, confidence: segments[0]?.confidence, asked: fake.asked.length }
  }
  const slur = 'Das sagte der Zigeuner.'
  const unsure = said(slur, -2)
  assert.deepEqual(await transcribed(unsure, said('Das sagte der Geiger.', -1)), {
    text: 'Das sagte der [unclear].',
    confidence: Math.exp(-2),
    asked: 2,
  })
  assert.deepEqual(await transcribed(unsure, unsure), { text: slur, confidence: Math.exp(-2), asked: 2 })
  assert.deepEqual(await transcribed(said(slur, -0.05)), {
    text: slur,
    confidence: Math.exp(-0.05),
    asked: 1,
  })
  assert.equal(
    (await transcribed(unsure, say(400, { error: { message: 'temperature' } }))).text,
    'Das sagte der [unclear].',
  )
})
