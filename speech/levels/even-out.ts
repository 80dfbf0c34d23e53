import { BLOCK, blocksOf, decibelsOf, powerOf } from './power.ts'

/** Speech is brought to this level (root mean square, in dB below full scale), that of a close microphone. */
const TARGET = -18
/** More would turn the noise of a 16-bit recording into sound. */
const MAX_GAIN = 36
/** Blocks this far above the noise floor count as speech, and those this far below the loudest blocks do not. */
const ABOVE_FLOOR = 6
const BELOW_LOUDEST = 40
/** The noise between words stays below this level, unless the speech is hardly louder than the noise. */
const MAX_NOISE = -32
const PEAK = 0.95
/** A peak limits the gain of this many blocks around it. */
const PEAK_REACH = 2
/** A voice is measured over this many blocks on each side, about a second: shorter would distort words. */
const REACH = 30

/**
 * Brings the speech of one segment to the same level, voice by voice: quiet speech is recognised as other words than the same speech
 * made louder. Only what the voice activity detection found is amplified, so that silence stays silent. The detection itself uses
 * `GainControl`.
 */
export function evenOut(samples: Float32Array): Float32Array {
  const blocks = blocksOf(samples)
  const peaks = blocks.map((block) => block.reduce((max, value) => Math.max(max, Math.abs(value)), 0))
  const gains = gainsOf(blocks.map(powerOf)).map((gain, block) => {
    const peak = Math.max(...peaks.slice(Math.max(0, block - PEAK_REACH), block + PEAK_REACH + 1))
    return Math.max(0, Math.min(gain, decibelsOf((PEAK / peak) ** 2)))
  })
  return gains.every((gain) => gain === 0) ? samples : applied(samples, gains)
}

/** The gain of each block in dB. */
function gainsOf(powers: readonly number[]): number[] {
  const sorted = powers.toSorted((a, b) => a - b)
  const at = (share: number): number => decibelsOf(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  const floor = at(0.05)
  // A floor close to the loudest blocks is speech without a pause.
  const threshold = Math.max(Math.min(floor + ABOVE_FLOOR, at(0.5)), at(0.95) - BELOW_LOUDEST)
  const noiseLimit = Math.max(MAX_NOISE - floor, 0)
  return powers.map((_, block) => {
    const around = powers
      .slice(Math.max(0, block - REACH), block + REACH + 1)
      .filter((power) => decibelsOf(power) >= threshold)
    if (around.length === 0) return 0
    const level = decibelsOf(around.reduce((sum, power) => sum + power, 0) / around.length)
    // Loud speech stays as it is: the models were trained on it, too.
    return Math.min(MAX_GAIN, noiseLimit, Math.max(0, TARGET - level))
  })
}

/** Gains change gradually between the middles of two blocks. */
function applied(samples: Float32Array, gains: readonly number[]): Float32Array {
  const factors = gains.map((gain) => 10 ** (gain / 20))
  return samples.map((value, index) => {
    const position = index / BLOCK - 0.5
    const block = Math.floor(position)
    const left = factors[Math.max(0, block)] as number
    const right = factors[Math.min(factors.length - 1, block + 1)] as number
    return value * (left + (right - left) * (position - block))
  })
}
