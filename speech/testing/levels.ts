/** Root mean square, in dB below full scale. */
export const levelOf = (samples: Float32Array): number =>
  10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 0) / samples.length)

/** With another level, rounded to 16 bits like a recording. */
export function atLevel(samples: Float32Array, decibels: number): Float32Array<ArrayBuffer> {
  const gain = 10 ** ((decibels - levelOf(samples)) / 20)
  return Float32Array.from(samples, (value) => Math.round(value * gain * 32_767) / 32_767)
}

/** Louder, with all samples beyond the full scale of 16 bits cut off. */
export function clippedBy(samples: Float32Array, decibels: number): Float32Array<ArrayBuffer> {
  const gain = 10 ** (decibels / 20)
  return Float32Array.from(samples, (value) => {
    const louder = Math.round(value * gain * 32_768)
    return Math.max(-32_768, Math.min(32_767, louder)) / 32_768
  })
}

/** Noise like that of a room, the same at each run. */
export function pinkNoise(length: number): Float32Array {
  const random = whiteNoise()
  const poles = [0.99765, 0.963, 0.57]
  const gains = [0.099, 0.2965, 1.0527]
  const state = [0, 0, 0]
  return Float32Array.from({ length }, () => {
    const white = random()
    poles.forEach((pole, index) => {
      state[index] = pole * (state[index] ?? 0) + (gains[index] ?? 0) * white
    })
    return 0.2 * (state.reduce((sum, value) => sum + value, 0) + 0.1848 * white)
  })
}

/** Returns the next sample of white noise, the same at each run. */
export function whiteNoise(): () => number {
  let seed = 1
  return () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 1_073_741_823.5 - 1
  }
}
