import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/support/properties.ts'
import { powerSpectrum } from './fourier.ts'
import { MEL_BANDS, MEL_FRAMES, melSpectrogram } from './mel.ts'

function slowPower(samples: Float64Array, bin: number): number {
  let [re, im] = [0, 0]
  samples.forEach((value, n) => {
    re += value * Math.cos((2 * Math.PI * bin * n) / samples.length)
    im -= value * Math.sin((2 * Math.PI * bin * n) / samples.length)
  })
  return re ** 2 + im ** 2
}

test('the spectrum equals the discrete Fourier transform', () => {
  const sounds = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 400, maxLength: 400 })
  fc.assert(
    fc.property(sounds, fc.integer({ min: 0, max: 200 }), (values, bin) => {
      const samples = Float64Array.from(values)
      assert.ok(Math.abs((powerSpectrum(samples)[bin] ?? 0) - slowPower(samples, bin)) < 1e-6)
    }),
    { numRuns: 30 },
  )
})

test('a tone is loudest in the band of its frequency', () => {
  const mel = melSpectrogram(
    Float32Array.from({ length: 16_000 }, (_, n) => Math.sin((2 * Math.PI * 1000 * n) / 16_000)),
  )
  const inBand = (band: number): number => mel[band * MEL_FRAMES + 50] ?? 0
  const loudest = Array.from({ length: MEL_BANDS }, (_, band) => band).toSorted(
    (a, b) => inBand(b) - inBand(a),
  )[0]
  // 15 of 45.2 mel, in 81 steps.
  assert.ok(Math.abs((loudest ?? 0) - 26) <= 1, `band ${loudest}`)
})
