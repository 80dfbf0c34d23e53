import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeAudio } from '../../media/decode/decode.ts'
import { DECODE_LIMITS, SAMPLE_RATE } from '../../media/decode/limits.ts'
import { concatSamples } from '../../media/decode/resample.ts'
import { SAMPLES } from '../../media/testing/fixtures.ts'
import { atLevel, levelOf, pinkNoise } from '../testing/levels.ts'
import { GainControl } from './gain-control.ts'

const FRAME = 512
const { signal } = new AbortController()
const source = { path: join(SAMPLES, 'en-librivox-1.flac'), container: 'flac' as const, skip: 0 }
const reading = concatSamples(
  ...(await Array.fromAsync(decodeAudio({ ...source, ffmpeg: null, limits: DECODE_LIMITS, signal }))),
)
const speech = reading.slice(0, 160 * FRAME)

/** In slices, at the end of which the audio after them is not known. */
function levelled(sound: Float32Array, framesPerSlice = Number.POSITIVE_INFINITY): Float32Array {
  const control = new GainControl(FRAME)
  const frames: Float32Array[] = []
  for (let at = 0; at + FRAME <= sound.length; at += FRAME) {
    const frame = control.add(sound.slice(at, at + FRAME))
    if (frame) frames.push(frame.levelled)
    const isSliceEnd = (at / FRAME + 1) % framesPerSlice === 0
    if (isSliceEnd) frames.push(...Array.from(control.flush(), (waiting) => waiting.levelled))
  }
  frames.push(...Array.from(control.flush(), (waiting) => waiting.levelled))
  return concatSamples(...frames)
}

test('speech at a normal level is not changed, and every frame comes out once', () => {
  const loud = atLevel(speech, -24)
  assert.deepEqual(levelled(loud), loud)
})

test('the end of a slice hardly changes speech at a normal level', () => {
  const loud = atLevel(reading.slice(0, Math.floor(reading.length / FRAME) * FRAME), -24)
  const frameOf = (sound: Float32Array, at: number) => sound.subarray(at * FRAME, (at + 1) * FRAME)
  const whole = levelled(loud)
  // Slices of three to ten seconds.
  for (const framesPerSlice of [94, 125, 156, 187, 219, 250, 281, 312]) {
    const sliced = levelled(loud, framesPerSlice)
    for (let at = 0; at < loud.length / FRAME; at++) {
      const levels = [levelOf(frameOf(sliced, at)), levelOf(frameOf(whole, at))] as const
      // Digital silence has no level.
      const difference = levels[0] === levels[1] ? 0 : levels[0] - levels[1]
      assert.ok(Math.abs(difference) < 6, `${difference} dB at frame ${at} in slices of ${framesPerSlice}`)
    }
  }
})

test('a faint voice gets the level that the voice activity detection needs, from its first half second on', () => {
  const quiet = atLevel(speech, -60)
  const both = levelled(concatSamples(atLevel(speech, -20), quiet))
  const after = both.subarray(speech.length)
  assert.ok(Math.abs(levelOf(after) + 36) < 3, `${levelOf(after)} dB`)
  const half = SAMPLE_RATE / 2
  const gain = levelOf(after.subarray(0, half)) - levelOf(quiet.subarray(0, half))
  assert.ok(gain > 15, `${gain} dB`)
  assert.ok(levelOf(both.subarray(0, speech.length)) < -19)
})

test('slices of a second hardly change the level of a faint voice', () => {
  const both = concatSamples(atLevel(speech, -20), atLevel(speech, -60))
  const difference =
    levelOf(levelled(both, 31).subarray(speech.length)) - levelOf(levelled(both).subarray(speech.length))
  assert.ok(Math.abs(difference) < 2, `${difference} dB`)
})

test('silence stays silent, and noise is not amplified', () => {
  const silence = new Float32Array(speech.length)
  assert.deepEqual(levelled(silence), silence)
  const noise = atLevel(pinkNoise(speech.length), -60)
  assert.ok(levelOf(levelled(noise)) < -55)
  const voice = atLevel(speech, -54)
  const noisy = noise.map((value, index) => value + (voice[index] ?? 0))
  const even = levelled(noisy)
  assert.ok(levelOf(even) > -45 && levelOf(even) < -30, `${levelOf(even)} dB`)
})
