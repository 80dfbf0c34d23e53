/** As a part of full scale. Opus and AAC move the samples of a plateau by up to a third. */
const LOUD = 0.7
/** Loud speech that is not clipped has at most 0.005, speech that is 10 dB too loud 0.14. */
const MAX_SHARE = 0.25

/**
 * Whether a segment of speech was recorded much too loud, so that its peaks are cut off. The models then write other words, and are often
 * sure of them.
 */
export function isClipped(samples: Float32Array): boolean {
  let loud = 0
  for (const value of samples) if (Math.abs(value) >= LOUD) loud++
  return loud > MAX_SHARE * samples.length
}
