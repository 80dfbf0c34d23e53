import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { concatSamples, createResampler } from './resample.ts'

const tone = (rate: number, hertz: number): Float32Array =>
  Float32Array.from({ length: rate }, (_, n) => Math.sin((2 * Math.PI * hertz * n) / rate))

function resample(samples: Float32Array, rate: number, lengths: number[] = []): Float32Array {
  const resampler = createResampler(rate)
  let output = new Float32Array(0)
  let at = 0
  for (const length of [...lengths, samples.length]) {
    output = concatSamples(output, resampler.push(samples.subarray(at, at + length)))
    at = Math.min(samples.length, at + length)
  }
  return concatSamples(output, resampler.end())
}

const largestIn = (samples: Float32Array): number =>
  samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0)

for (const rate of [8000, 11_025, 22_050, 32_000, 44_100, 48_000, 96_000])
  test(`resamples a tone from ${rate} Hz to 16 kHz`, () => {
    const [actual, expected] = [resample(tone(rate, 440), rate), tone(16_000, 440)]
    assert.ok(Math.abs(actual.length - expected.length) <= 1, `${actual.length} samples`)
    const middle = actual.slice(400, 15_500).map((value, index) => value - (expected[400 + index] ?? 0))
    assert.ok(largestIn(middle) < 0.01, `off by ${largestIn(middle)}`)
  })

test('removes frequencies above 8 kHz without aliasing', () => {
  assert.ok(largestIn(resample(tone(48_000, 12_000), 48_000).slice(400, 15_500)) < 0.002)
})

test('gives the same result for any block sizes', () => {
  const samples = tone(44_100, 440).slice(0, 5000)
  const whole = resample(samples, 44_100)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 12 }), (lengths) => {
      assert.deepEqual(resample(samples, 44_100, lengths), whole)
    }),
    { numRuns: 50 },
  )
})
