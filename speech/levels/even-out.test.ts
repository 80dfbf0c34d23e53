import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { decodeAudio } from '../../media/decode/decode.ts'
import { DECODE_LIMITS, SAMPLE_RATE } from '../../media/decode/limits.ts'
import { concatSamples } from '../../media/decode/resample.ts'
import { SAMPLES } from '../../media/testing/fixtures.ts'
import { evenOut } from './even-out.ts'

const { signal } = new AbortController()
const source = {
  path: join(SAMPLES, 'en-asterisk-1.flac'),
  container: 'flac',
  ffmpeg: null,
  skip: 0,
} as const
const speech = concatSamples(
  ...(await Array.fromAsync(decodeAudio({ ...source, limits: DECODE_LIMITS, signal }))),
).slice(0, 5 * SAMPLE_RATE)

const levelOf = (samples: Float32Array): number =>
  10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 0) / samples.length)

const quieter = (samples: Float32Array, decibels: number): Float32Array =>
  samples.map((value) => Math.round(value * 10 ** (-decibels / 20) * 32_767) / 32_767)

test('speech at -41 dB gets the level of the same speech nearby', () => {
  const quiet = quieter(speech, 41 + levelOf(speech))
  assert.ok(Math.abs(levelOf(quiet) + 41) < 0.5)
  assert.ok(Math.abs(levelOf(evenOut(quiet)) - levelOf(evenOut(speech))) < 3)
})

test('a distant voice gets as loud as the one before it', () => {
  const both = concatSamples(speech, quieter(speech, 24))
  const even = evenOut(both)
  const [near, far] = [even.subarray(0, speech.length), even.subarray(speech.length)]
  // The second around the change of voices is in between.
  assert.ok(levelOf(near) - levelOf(far) < 4, `${levelOf(near)} and ${levelOf(far)}`)
})

test('loud speech is not changed', () => {
  const loud = speech.map((value) => value * 1.2)
  assert.ok(levelOf(evenOut(loud)) <= levelOf(loud) + 1)
})

test('silence and noise stay below the level of speech, and nothing exceeds full scale', () => {
  assert.deepEqual(evenOut(new Float32Array(SAMPLE_RATE)), new Float32Array(SAMPLE_RATE))
  let seed = 1
  const noise = Float32Array.from({ length: 3 * SAMPLE_RATE }, () => {
    seed = (seed * 48_271) % 2_147_483_647
    return (seed / 1_073_741_823.5 - 1) * 0.01
  })
  assert.ok(levelOf(evenOut(noise)) < -30, `${levelOf(evenOut(noise))}`)
  const clicks = quieter(speech, 30)
  clicks[40_000] = 0.9
  assert.ok(evenOut(clicks).every((value) => Math.abs(value) <= 1))
})
