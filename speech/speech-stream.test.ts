import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_RATE } from '../media/decode/limits.ts'
import fc from '../test/support/properties.ts'
import type { Recogniser, TranscribedWindow } from './recognise.ts'
import { SpeechStream, warmUpBefore } from './speech-stream.ts'
import type { Segment } from './types.ts'
import type { SpeechSegment } from './vad/find-speech.ts'
import { FRAME } from './vad/silero.ts'

/** Recognises when a segment was spoken. */
const recogniser = {
  forUnfinished: () => recogniser,
  async *windows(speech: AsyncIterable<SpeechSegment>): AsyncGenerator<TranscribedWindow> {
    for await (const { start, end, overlap } of speech)
      yield { segments: [{ start, end, text: `${start.toFixed(1)} to ${end.toFixed(1)}` }], overlap }
  },
} as Recogniser

/** Samples are the probability of speech. Like Silero, it detects nothing in its first half second. */
function coldDetector(): (frame: Float32Array) => Promise<number> {
  let frames = 0
  return async (frame) => (frames++ < 16 ? 0 : (frame[0] ?? 0))
}

const during = (seconds: number, chance: number): number[] =>
  Array<number>(Math.round((seconds * SAMPLE_RATE) / FRAME)).fill(chance)

async function* soundOf(chances: readonly number[]): AsyncGenerator<Float32Array> {
  for (const chance of chances) yield new Float32Array(FRAME).fill(chance)
}

test('audio before the beginning warms up the voice detection, so that the first word is not lost', async () => {
  const warmUp = warmUpBefore(3)
  const sound = [...during(warmUp / SAMPLE_RATE, 0), ...during(2, 0.9), ...during(1, 0)]
  const { segments } = await new SpeechStream(coldDetector(), recogniser, { from: 3, warmUp }).transcribeAll(
    soundOf(sound),
  )
  assert.deepEqual(
    segments.map(({ text }) => text),
    ['3.0 to 5.2'],
  )
  const cold = await new SpeechStream(coldDetector(), recogniser, { from: 3, warmUp: 0 }).transcribeAll(
    soundOf(sound.slice(31)),
  )
  assert.notEqual(cold.segments[0]?.start, 3)
})

test('the warm-up is at most the audio that there is, in whole frames', () => {
  assert.equal(warmUpBefore(0), 0)
  assert.equal(warmUpBefore(0.05), FRAME)
  assert.equal(warmUpBefore(100) % FRAME, 0)
  assert.ok(Math.abs(warmUpBefore(100) / SAMPLE_RATE - 1) < 0.05)
})

const START = { from: 0, warmUp: 0 }
const detector = async (frame: Float32Array): Promise<number> => frame[0] ?? 0
const textsOf = (segments: readonly Segment[]): string[] => segments.map(({ text }) => text)

test('audio in slices gives the segments of the whole, and unfinished speech begins where the last of them can change', async () => {
  const runs = fc.array(fc.tuple(fc.constantFrom(0, 0.4, 0.95), fc.integer({ min: 1, max: 300 })), {
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(runs, fc.integer({ min: 90, max: 400 }), async (given, sliceFrames) => {
      const sound = given.flatMap(([chance, length]) => Array<number>(length).fill(chance))
      const whole = await new SpeechStream(detector, recogniser, START).transcribeAll(soundOf(sound))
      const stream = new SpeechStream(detector, recogniser, START)
      let live: Segment[] = []
      let finishedTo = 0
      for (let at = 0; at < sound.length; at += sliceFrames) {
        const slice = await stream.transcribeSoFar(soundOf(sound.slice(at, at + sliceFrames)))
        live = [...live.filter(({ start }) => start < finishedTo), ...slice.segments]
        ;({ finishedTo } = slice)
        const end = ((at + sliceFrames) * FRAME) / SAMPLE_RATE
        assert.ok(end - finishedTo < 41, `${end - finishedTo} s are not finished`)
      }
      assert.deepEqual(textsOf(live), textsOf(whole.segments))
    }),
    { numRuns: 12 },
  )
})

test('of two windows that share audio, the first is transcribed again, too', async () => {
  const sound = soundOf(during(28, 0.95))
  const { segments, finishedTo } = await new SpeechStream(detector, recogniser, START).transcribeAll(sound)
  assert.equal(segments.length, 2)
  assert.equal(finishedTo, 0)
})

/** Enough for two windows of continuous speech. */
const CONTEXT_SECONDS = 30

/** Transcribes in slices, as if the engine forgot everything after each of them. */
async function transcribeForgetfully(sound: readonly number[], sliceFrames: number): Promise<Segment[]> {
  const seconds = (frames: number): number => (frames * FRAME) / SAMPLE_RATE
  let live: Segment[] = []
  let finishedTo = 0
  for (let end = sliceFrames; end < sound.length + sliceFrames; end += sliceFrames) {
    const first = Math.max(0, Math.floor((finishedTo - CONTEXT_SECONDS) / seconds(1)))
    // Rounded to milliseconds, as it is stored. The first frame of the context is not a whole one.
    const start = { from: seconds(first) + 0.01, warmUp: 0, finishedTo: Math.round(finishedTo * 1000) / 1000 }
    const stream = new SpeechStream(detector, recogniser, first === 0 ? { ...START, finishedTo } : start)
    const slice = await stream.transcribeSoFar(withoutFirst(first === 0 ? 0 : 160, sound.slice(first, end)))
    live = [...live.filter((segment) => segment.start < finishedTo - 0.001), ...slice.segments]
    assert.ok(slice.finishedTo >= finishedTo - 0.001)
    ;({ finishedTo } = slice)
  }
  return live
}

async function* withoutFirst(samples: number, chances: readonly number[]): AsyncGenerator<Float32Array> {
  for (const [n, chance] of chances.entries())
    yield new Float32Array(n === 0 ? FRAME - samples : FRAME).fill(chance)
}

test('an engine that forgets everything after each slice divides speech as it does in the whole', async () => {
  // Speech without a pause is shorter than the context.
  const sentence = fc.tuple(fc.integer({ min: 20, max: 800 }), fc.integer({ min: 14, max: 60 }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(sentence, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 90, max: 400 }),
      async (sentences, sliceFrames) => {
        const sound = sentences.flatMap(([spoken, pause]) => [
          ...Array<number>(spoken).fill(0.95),
          ...Array<number>(pause).fill(0),
        ])
        const whole = await new SpeechStream(detector, recogniser, START).transcribeAll(soundOf(sound))
        assert.deepEqual(textsOf(await transcribeForgetfully(sound, sliceFrames)), textsOf(whole.segments))
      },
    ),
    { numRuns: 4 },
  )
})

test('speech without a pause that is longer than the context is transcribed once', async () => {
  const live = await transcribeForgetfully(during(70, 0.95), 160)
  assert.equal(live[0]?.start, 0)
  for (const [n, { end }] of live.entries())
    if (live[n + 1]) assert.ok(Math.abs((live[n + 1]?.start ?? 0) - end) < 0.05, `after ${end} s`)
  assert.ok((live.at(-1)?.end ?? 0) > 69)
})
