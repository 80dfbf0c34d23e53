import assert from 'node:assert/strict'
import { test } from 'node:test'
import { framesOf } from '../../media/decode/frames.ts'
import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import { concatSamples } from '../../media/decode/resample.ts'
import fc from '../../test/support/properties.ts'
import { atLevel, pinkNoise, whiteNoise } from '../testing/levels.ts'
import { setup } from '../testing/setup.ts'
import { soundOf } from '../testing/sounds.ts'
import { findSpeech, SpeechFinder, type SpeechSegment } from './find-speech.ts'
import { FRAME } from './silero.ts'

const SECONDS_PER_FRAME = FRAME / SAMPLE_RATE

/** Frames whose samples are the probability of speech, to test the rules without a model. */
async function find(probabilities: readonly number[], start = 0): Promise<SpeechSegment[]> {
  async function* frames() {
    for (const chance of probabilities) yield new Float32Array(FRAME).fill(chance)
  }
  return Array.fromAsync(findSpeech(frames(), async (frame) => frame[0] ?? 0, start))
}

const during = (seconds: number, chance: number): number[] =>
  Array<number>(Math.round(seconds / SECONDS_PER_FRAME)).fill(chance)

test('finds speech with padding', async () => {
  const [segment, ...more] = await find([...during(2, 0), ...during(3, 0.9), ...during(2, 0)], 10)
  assert.equal(more.length, 0)
  assert.ok(segment && segment.start > 11.7 && segment.start < 12 && segment.end > 15 && segment.end < 15.3)
  assert.equal(segment.samples.length, Math.round((segment.end - segment.start) * SAMPLE_RATE))
})

test('splits at a long pause, not at a short one', async () => {
  const talk = (pause: number) => [
    ...during(2, 0.9),
    ...during(pause, 0.1),
    ...during(2, 0.9),
    ...during(1, 0),
  ]
  assert.equal((await find(talk(0.25))).length, 1)
  assert.equal((await find(talk(0.5))).length, 2)
})

test('knows where unfinished speech begins, however short it is', async () => {
  const finder = new SpeechFinder(async (frame) => frame[0] ?? 0, 0)
  const feed = async (chances: readonly number[]) => {
    for (const chance of chances) await finder.add(new Float32Array(FRAME).fill(chance))
    await Array.fromAsync(finder.flush())
  }
  await feed([...during(2, 0), ...during(0.1, 0.9)])
  assert.equal(finder.unfinished(), null)
  assert.ok(Math.abs(finder.finishedTo - 1.84) < 0.05, `${finder.finishedTo}`)
  await feed(during(1, 0.9))
  const [first, again] = [finder.unfinished(), finder.unfinished()]
  assert.ok(first && Math.abs(first.start - 1.84) < 0.05)
  assert.deepEqual(again, first)
  await feed(during(1, 0))
  assert.equal(finder.unfinished(), null)
  assert.ok(finder.finishedTo > 3.5, `${finder.finishedTo}`)
})

test('ignores a click', async () => {
  assert.deepEqual(await find([...during(1, 0), ...during(0.1, 0.9), ...during(1, 0)]), [])
})

test('splits continuous speech where it is least probable, with an overlap', async () => {
  const probabilities = [...during(15, 0.9), ...during(0.1, 0.4), ...during(15, 0.9)]
  const [first, second] = await find(probabilities)
  assert.ok(first && second)
  assert.ok(Math.abs(first.end - 15) < 0.2, `cut at ${first.end}`)
  assert.equal(first.end, second.start)
  assert.ok(second.overlap > 1.4)
  assert.ok(first.samples.length / SAMPLE_RATE > first.end - first.start + 1.4)
})

test('covers all speech with segments in order, none of them too long', async () => {
  const runs = fc.array(fc.tuple(fc.constantFrom(0, 0.2, 0.6, 0.95), fc.integer({ min: 1, max: 400 })), {
    maxLength: 20,
  })
  await fc.assert(
    fc.asyncProperty(runs, async (given) => {
      const probabilities = given.flatMap(([chance, length]) => Array<number>(length).fill(chance))
      const segments = await find(probabilities)
      for (const [index, { start, end, samples }] of segments.entries()) {
        assert.ok(start < end && samples.length <= 20.1 * SAMPLE_RATE)
        assert.ok(start >= (segments[index - 1]?.end ?? 0))
      }
      const isCovered = (time: number) => segments.some(({ start, end }) => start <= time && time <= end)
      assert.ok(longRuns(probabilities).every((frame) => isCovered((frame + 0.5) * SECONDS_PER_FRAME)))
    }),
    { numRuns: 60 },
  )
})

/** Frames within speech that is long enough to count. */
function longRuns(probabilities: readonly number[]): number[] {
  return probabilities.flatMap((_, index) => {
    const around = probabilities.slice(Math.max(0, index - 8), index + 9)
    return around.length === 17 && around.every((chance) => chance >= 0.5) ? [index] : []
  })
}

test('Silero detects no speech in silence, noise, a tone and clicks, at any level and after a loud voice', async () => {
  const createDetector = await setup.models.silero()
  const voice = await soundOf('en-asterisk-1', 0, 5)
  const noise = whiteNoise()
  const pink = pinkNoise(4 * SAMPLE_RATE)
  const sounds = [
    noise,
    (n: number) => pink[n] ?? 0,
    (n: number) => (pink[n] ?? 0) * Math.sin(n / 10_000) ** 2,
    (n: number) => Math.sin(n / 6),
    (n: number) => (n % 8000 < 40 ? 1 : 0),
  ]
  const silence = new Float32Array(pink.length)
  const levels = [-10, -40, -55, -70]
  for (const sound of [
    silence,
    ...sounds.flatMap((one) =>
      levels.map((level) =>
        atLevel(
          silence.map((_, n) => one(n)),
          level,
        ),
      ),
    ),
  ])
    for (const before of [new Float32Array(0), voice]) {
      const frames = framesOf(each([concatSamples(before, sound)]), FRAME)
      const found = await Array.fromAsync(findSpeech(frames, createDetector(), 0))
      const seconds = before.length / SAMPLE_RATE
      assert.equal(found.length > 0, before === voice)
      // The end of the last word.
      for (const { start, end } of found)
        assert.ok(start < seconds && end < seconds + 1, `${start} to ${end}`)
    }
})

test('Silero detects no speech in gusts of noise after two seconds of a voice', async () => {
  const createDetector = await setup.models.silero()
  const gusts = pinkNoise(6 * SAMPLE_RATE).map((value, n) => value * Math.sin(n / 10_000) ** 2)
  for (const [name, from, level] of [
    ['en-asterisk-1', 0, -15],
    ['en-asterisk-5', 2.2, -12],
    ['de-espeak-1', 2.2, -12],
    ['en-espeak-1', 0, -12],
  ] as const) {
    const sound = concatSamples(await soundOf(name, from, from + 2), atLevel(gusts, level))
    const found = await Array.fromAsync(findSpeech(framesOf(each([sound]), FRAME), createDetector(), 0))
    assert.ok(found.length > 0)
    for (const { start, end } of found) assert.ok(start < 2, `${name}: ${start} to ${end}`)
  }
})

test('Silero detects short words in noise', async () => {
  const createDetector = await setup.models.silero()
  const [voice, word] = [await soundOf('en-asterisk-1', 0, 2), await soundOf('en-librivox-1', 1, 1.3)]
  const pause = new Float32Array(SAMPLE_RATE)
  const sound = concatSamples(voice, pause, atLevel(word, -20), pause)
  const noise = atLevel(pinkNoise(sound.length), -23)
  const noisy = sound.map((value, n) => value + (noise[n] ?? 0))
  const found = await Array.fromAsync(findSpeech(framesOf(each([noisy]), FRAME), createDetector(), 0))
  assert.ok(
    found.some(({ start, end }) => start > 2.5 && start < 3.1 && end > 3.2),
    JSON.stringify(found.map(({ start, end }) => [start, end])),
  )
})

test('speech of which the detector is hardly ever certain is uncertain', async () => {
  const found = async (probabilities: readonly number[]) => {
    const left = [...probabilities]
    const frames = framesOf(each([new Float32Array(probabilities.length * FRAME)]), FRAME)
    const segments = await Array.fromAsync(findSpeech(frames, async () => left.shift() ?? 0, 0))
    return segments.map(({ isUncertain }) => isUncertain)
  }
  const pause = Array.from({ length: 20 }, () => 0)
  const music = Array.from({ length: 16 }, () => 0.8)
  assert.deepEqual(await found([...music, 0.95, 0.95, ...pause]), [true])
  assert.deepEqual(await found([...music, 0.95, 0.95, 0.95, ...pause]), [false])
  assert.deepEqual(await found([...music, ...pause, 1, 1, 1, ...music, ...pause]), [true, false])
})

test('speech is cut off where the audio begins within it', async () => {
  const beginnings = async (probabilities: readonly number[], framesToWarmUp = 0) => {
    const left = [...probabilities]
    const finder = new SpeechFinder(async () => left.shift() ?? 0, 0, framesToWarmUp)
    const found: SpeechSegment[] = []
    const add = (segment: SpeechSegment | null) => void (segment && found.push(segment))
    for (const _ of probabilities) add(await finder.add(new Float32Array(FRAME)))
    for await (const segment of finder.flush()) add(segment)
    return found.map(({ cutOff }) => cutOff?.atStart)
  }
  const speech = Array.from({ length: 16 }, () => 0.95)
  const pause = Array.from({ length: 20 }, () => 0)
  // The detector needs two frames to notice it.
  assert.deepEqual(await beginnings([0.1, 0.3, ...speech, ...pause, ...speech, ...pause]), [true, false])
  assert.deepEqual(await beginnings([0, 0, 0, 0, 0, ...speech, ...pause]), [false])
  // The audio before the first frames was transcribed earlier.
  assert.deepEqual(await beginnings([...pause, ...speech, ...pause], 20), [false])
})

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
