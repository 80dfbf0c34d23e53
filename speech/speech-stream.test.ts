import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SAMPLE_RATE } from '../media/decode/limits.ts'
import type { Recogniser, TranscribedWindow } from './recognise.ts'
import { SpeechStream, warmUpBefore } from './speech-stream.ts'
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
  const { segments } = await new SpeechStream(coldDetector(), recogniser, 3, warmUp).transcribeAll(
    soundOf(sound),
  )
  assert.deepEqual(
    segments.map(({ text }) => text),
    ['3.0 to 5.2'],
  )
  const cold = await new SpeechStream(coldDetector(), recogniser, 3, 0).transcribeAll(
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
