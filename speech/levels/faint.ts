import { blocksOf, decibelsOf, powerOf } from './power.ts'

/** In dB below full scale, of the loudest blocks. Louder speech has the confidence that the models give it. */
const QUIET = -30
/** In dB: of 250 words with less between the loudest blocks and the noise, every third was wrong, with confidences up to 0.9. */
const CLEAR_OF_NOISE = 10
/** Whether a segment of speech is quiet and hardly louder than the noise around it. */
export function isFaint(samples: Float32Array): boolean {
  const levels = blocksOf(samples)
    .map((block) => decibelsOf(powerOf(block)))
    .sort((a, b) => a - b)
  const at = (share: number): number => levels[Math.floor((levels.length - 1) * share)] ?? 0
  return at(0.95) < QUIET && at(0.95) - at(0.05) < CLEAR_OF_NOISE
}
