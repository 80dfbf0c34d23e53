import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { framesOf } from '../media/decode/frames.ts'
import { SAMPLE_RATE } from '../media/decode/limits.ts'
import { concatSamples } from '../media/decode/resample.ts'
import { wavOf, writeTemporary } from '../media/testing/fixtures.ts'
import { Recogniser } from './recognise.ts'
import { SpeechStream } from './speech-stream.ts'
import { atLevel, clippedBy, pinkNoise } from './testing/levels.ts'
import { setup } from './testing/setup.ts'
import { soundOf } from './testing/sounds.ts'
import { openStream, transcribe, transcriptionOf } from './transcribe.ts'
import { type Segment, UNCLEAR_BELOW } from './types.ts'

const ENGLISH_ONLY = { usesMoonshine: true, expected: 'en', candidates: ['en'], hotwords: [] }

/** Transcribes a whole recording like `transcribe`, but does not start a process to decode it. */
async function segmentsOf(
  sound: Float32Array,
  language: string | null,
  candidates = [language ?? []].flat(),
): Promise<Segment[]> {
  const job = { path: '', container: 'wav' as const, language, candidates, hotwords: [], from: 0 }
  const decode = () => Readable.from([sound])
  const { stream, decoding, finishedTo } = await openStream(job, setup, decode)
  return transcriptionOf(await stream.transcribeAll(decoding.samples()), decoding, finishedTo).segments
}

/** 23 s of speech without pauses: sentences without the silence between words. */
async function runningSpeech(t: TestContext): Promise<string> {
  const sound = await soundOf('en-librivox-1')
  const frames = await Array.fromAsync(framesOf(Readable.from([sound]), 320))
  const loud = frames.filter((frame) => Math.hypot(...frame) > 0.08)
  const floats = Buffer.concat(loud.map((frame) => Buffer.from(frame.buffer)))
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
  assert.ok(duration > 20 && segments.length > 1)
  const words = segments.flatMap(({ text }) => text.toLowerCase().match(/[a-z]+/g) ?? [])
  const count = (word: string): number => words.filter((other) => other === word).length
  for (const word of ['dashwood', 'prudently', 'selfish', 'married', 'respectable'])
    assert.equal(count(word), 1, `${word}: ${words.join(' ')}`)
  assert.equal(count('amiable'), 2, words.join(' '))
  assert.ok(Math.abs(words.length - 69) <= 2, `${words.length} words`)
  segments.slice(1).forEach(({ start }, index) => {
    const pause = start - (segments[index]?.end ?? 0)
    assert.ok(pause >= 0 && pause < 0.2, `${pause} s before ${start} s`)
  })
  // The first window has two sentences.
  assert.match(segments[0]?.text ?? '', /^And [^.]*Mr\. [^.]* to do for them\.$/)
})

test('speech that was recorded too loud is marked where its words are wrong', async () => {
  const speech = await soundOf('en-asterisk-2', 6, 9.7)
  const [clear] = await segmentsOf(speech, 'en')
  assert.match(clear?.text ?? '', /^Please hold while I try to locate the person/)
  assert.ok((clear?.confidence ?? 0) >= UNCLEAR_BELOW)
  const clipped = await segmentsOf(clippedBy(speech, 30), 'en')
  assert.equal(clipped.length, 1)
  assert.ok(
    clipped.every(({ confidence = 1 }) => confidence < UNCLEAR_BELOW),
    textOf(clipped),
  )
})

const textOf = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join(' ')

/** Stops inside a sentence. */
const cutOff = () => soundOf('en-librivox-1', 10.6, 14.8)

test('a recording that stops inside a sentence does not end in a repeated phrase', async () => {
  const segments = await segmentsOf(await cutOff(), 'en')
  assert.match(textOf(segments), /rather cold-hearted and rather selfish (is\S*|\[unclear\])$/)
  assert.equal(textOf(segments).match(/selfish/g)?.length, 1, textOf(segments))
})

test('the same in a live recording, without a run of Whisper', async () => {
  const models = { ...setup.models, whisper: () => assert.fail('Whisper is not needed.') }
  const recogniser = new Recogniser({ ...setup, models, ...ENGLISH_ONLY })
  const createDetector = await setup.models.silero()
  const stream = new SpeechStream(createDetector(), recogniser, { from: 0, warmUp: 0 })
  const { segments } = await stream.transcribeSoFar(Readable.from([await cutOff()]))
  assert.equal(textOf(segments).match(/selfish/g)?.length, 1, textOf(segments))
})

/** The same sound as the whole recording and as the end of a live one so far. */
async function finishedAndLive(sound: Float32Array): Promise<Segment[][]> {
  const recogniser = new Recogniser({ ...setup, ...ENGLISH_ONLY })
  const createDetector = await setup.models.silero()
  const stream = new SpeechStream(createDetector(), recogniser, { from: 0, warmUp: 0 })
  const live = await stream.transcribeSoFar(Readable.from([sound]))
  return [await segmentsOf(sound, 'en'), live.segments]
}

test('a word that is cut off is marked, and not completed to other words', async () => {
  // Within "selfish" and "ill-disposed".
  for (const [to, invented] of [
    [13.8, /soled/],
    [15.4, /spo/],
  ] as const)
    for (const segments of await finishedAndLive(await soundOf('en-librivox-1', 10.6, to))) {
      assert.doesNotMatch(textOf(segments), invented)
      assert.match(textOf(segments), /^Unless to be rather cold-hearted .*\[unclear\]$/)
    }
})

test('a word that is cut off does not make the clear words before it unclear', async () => {
  for (const segments of await finishedAndLive(await soundOf('en-librivox-1', 10.6, 12.2))) {
    assert.match(textOf(segments), /^Unless to be rather \[unclear\]$/)
    assert.ok(segments.every(({ confidence = 0 }) => confidence >= UNCLEAR_BELOW))
  }
})

test('a Spanish word that is cut off is marked, too', async () => {
  const sound = await soundOf('es-asterisk-1', 9.8, 12.5)
  assert.match(textOf(await segmentsOf(sound, 'es')), /^Lo siento .*\[unclear\]$/)
})

test('a phrase that is said twice is transcribed twice, even quickly', async () => {
  const twice = async (from: number, to: number, cutOff: number): Promise<string> => {
    const phrase = await soundOf('en-librivox-1', from, to)
    const shorter = phrase.slice(0, phrase.length - cutOff * SAMPLE_RATE)
    return textOf(await segmentsOf(concatSamples(phrase, shorter), 'en'))
  }
  assert.match(await twice(22.6, 25.7, 0), /^(He might even have been made amiable himself\. ?){2}$/)
  // 5.1 tokens per second, so that Whisper is asked.
  assert.equal((await twice(0.2, 2.6, 0.4)).match(/Mr\. John Dashwood had then/g)?.length, 2)
})

/** One sentence each, with half a second between them. */
async function twoLanguages(): Promise<Record<'en' | 'it' | 'pause', Float32Array>> {
  const pause = new Float32Array(SAMPLE_RATE / 2)
  return { en: await soundOf('en-asterisk-1', 2, 6.2), it: await soundOf('it-asterisk-1', 5.2, 8.1), pause }
}

const inBrief = (segments: readonly Segment[]): string =>
  segments.map(({ language, text }) => `${language}: ${text}`).join(' ')

test('an Italian answer after an English welcome is Italian, even if only English is offered', async () => {
  const { en, pause, it } = await twoLanguages()
  const segments = await segmentsOf(concatSamples(en, pause, it), 'en')
  assert.match(inBrief(segments), /^en: .*guide you through .* process\. it: .* operatori .* occupati\.?$/)
  assert.ok(segments.every(({ confidence = -1 }) => confidence > 0 && confidence <= 1))
})

test('a Spanish sentence that both models would translate into English is Spanish', async () => {
  const pause = new Float32Array(2 * SAMPLE_RATE)
  const [en, es] = [await soundOf('en-asterisk-1', 2, 6.2), await soundOf('es-asterisk-1', 0, 6)]
  const segments = await segmentsOf(concatSamples(en, pause, es), 'en')
  assert.match(inBrief(segments), /^en: .* process\. es: para incrementar el volumen/i)
})

test('an English remark after Italian is English, even if only Italian is offered', async () => {
  const { en, pause, it } = await twoLanguages()
  const segments = await segmentsOf(concatSamples(it, pause, en), 'it')
  assert.match(inBrief(segments), /^it: .* occupati\.? en: .*guide you through .* process\.$/)
})

test('unfinished Spanish after an English welcome is Spanish', async () => {
  const recogniser = new Recogniser({ ...setup, ...ENGLISH_ONLY, expected: null, candidates: ['en', 'es'] })
  const createDetector = await setup.models.silero()
  const stream = new SpeechStream(createDetector(), recogniser, { from: 0, warmUp: 0 })
  const pause = new Float32Array(0.8 * SAMPLE_RATE)
  // 9 s without a pause.
  const [en, es] = [await soundOf('en-asterisk-1', 2, 6.2), await soundOf('es-asterisk-1', 14.9, 24)]
  const { segments } = await stream.transcribeSoFar(Readable.from([concatSamples(en, pause, es)]))
  assert.match(inBrief(segments), /^en: .* process\. es: .* será repetido tan pronto/)
})

for (const [language, seconds, right] of [
  ['pt', 6, /pt: .*Hoje vamos falar sobre o novo/],
  ['pl', 6, /pl: .* o nowym/],
] as const)
  test(`${language}, which is not offered, does not become German, and nothing is missing`, async () => {
    const sound = await soundOf(`${language}-espeak-1`, 0, seconds)
    const segments = await segmentsOf(sound, null, ['de', 'nl'])
    assert.match(inBrief(segments), right)
    assert.doesNotMatch(inBrief(segments), /de: (?!\[unclear\])/)
    assert.ok(secondsIn(segments) > seconds * 0.85, inBrief(segments))
  })

test('Portuguese in an English project is unclear, and nothing is missing', async () => {
  const segments = await segmentsOf(await soundOf('pt-espeak-1', 0, 6), 'en')
  assert.ok(secondsIn(segments) > 5.1, inBrief(segments))
  for (const { confidence = 1, text } of segments) assert.ok(confidence < UNCLEAR_BELOW, text)
})

const secondsIn = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { start, end }) => sum + end - start, 0)

/** A loud voice, and some seconds of another one after it. */
async function twoVoices(quietLevel: number, seconds: number) {
  const loud = atLevel(await soundOf('en-asterisk-1', 0, 2.5), -20)
  const pause = new Float32Array(0.4 * SAMPLE_RATE)
  const quiet = atLevel(await soundOf('en-asterisk-3', 0, seconds), quietLevel)
  return { sound: concatSamples(loud, pause, quiet), from: (loud.length + pause.length) / SAMPLE_RATE }
}

/** The words of the second voice. */
async function secondVoiceAt(level: number): Promise<string[]> {
  const { sound, from } = await twoVoices(level, 7)
  const segments = await segmentsOf(sound, 'en')
  return segments
    .filter(({ start, end }) => (start + end) / 2 > from)
    .flatMap(({ text }) => text.toLowerCase().match(/[a-z]+/g) ?? [])
}

test('a voice that is 34 or 40 dB quieter than the one before it has the same words as at the same level', async () => {
  const expected = await secondVoiceAt(-20)
  assert.ok(expected.length > 15, expected.join(' '))
  for (const below of [34, 40]) assert.deepEqual(await secondVoiceAt(-20 - below), expected, `${below} dB`)
})

test('a quiet voice that is hardly louder than the noise is marked as unclear', async () => {
  const { sound, from } = await twoVoices(-63, 6)
  const noise = atLevel(pinkNoise(sound.length), -65)
  const noisy = sound.map((value, index) => value + (noise[index] ?? 0))
  const segments = await segmentsOf(noisy, 'en')
  const quiet = segments.filter(({ start, end }) => (start + end) / 2 > from)
  assert.ok(quiet.length > 0)
  for (const { text, confidence = 1 } of quiet)
    assert.ok(confidence < UNCLEAR_BELOW, `${confidence}: ${text}`)
  for (const { text, confidence = 0 } of segments.slice(0, -quiet.length))
    assert.ok(confidence >= UNCLEAR_BELOW, `${confidence}: ${text}`)
})

test('gusts of noise after a short remark add no word in another language', async () => {
  const gusts = pinkNoise(6 * SAMPLE_RATE).map((value, n) => value * Math.sin(n / 10_000) ** 2)
  const sound = concatSamples(await soundOf('en-asterisk-1', 0, 2), atLevel(gusts, -15))
  assert.match(inBrief(await segmentsOf(sound, null, ['en', 'nl'])), /^en: Welcome to \w+ mail\.?$/)
})
