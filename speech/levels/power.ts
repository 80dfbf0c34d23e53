import { SAMPLE_RATE } from '../../media/decode/limits.ts'

/** Samples per block: 32 ms. */
export const BLOCK = Math.round(0.032 * SAMPLE_RATE)

/** Digital silence, in dB below full scale. */
const SILENCE = -120

export const decibelsOf = (power: number): number => Math.max(SILENCE, 10 * Math.log10(power + 1e-12))

/** The mean square. */
export function powerOf(samples: Float32Array): number {
  let sum = 0
  for (const value of samples) sum += value * value
  return sum / samples.length
}

export const blocksOf = (samples: Float32Array): Float32Array[] =>
  Array.from({ length: Math.ceil(samples.length / BLOCK) }, (_, block) =>
    samples.subarray(block * BLOCK, (block + 1) * BLOCK),
  )
