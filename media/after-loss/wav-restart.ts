import { wavHeader } from '../split/wav.ts'
import type { RestartRule } from './restart-point.ts'
import { type GuessedFormat, guessWavFormat } from './wav-format.ts'

/** Samples have no marks: the slices must hold whole samples, as the first one does. */
export const wavRestart: RestartRule = {
  container: 'wav',
  headerEnd(bytes) {
    const format = bytes.indexOf('fmt ')
    const data = bytes.indexOf('data')
    if (format < 0 || data < format || format + 22 > bytes.length) return null
    const frame = bytes.readUInt16LE(format + 20)
    return frame > 0 && (bytes.length - data - 8) % frame === 0 ? data + 8 : null
  },
  find: () => ({ at: 0, startMs: null }),
}

/** More than any recording has: readers stop at the end of the file. They take 0 and the highest number for an empty one. */
const UNKNOWN_LENGTH = 0x7fff_fff0

/** Samples whose header never arrived. Any bytes can be samples, so no other container may fit them. */
export const samplesRestart = (sliceSeconds: number): RestartRule => {
  let last: { bytes: Buffer; guessed: GuessedFormat | null } | null = null
  // Header and start of the same bytes are asked for one after the other, and guessing reads all samples.
  const guess = (bytes: Buffer) => {
    if (last?.bytes !== bytes) last = { bytes, guessed: guessWavFormat(bytes, sliceSeconds) }
    return last.guessed
  }
  return {
    container: 'wav',
    headerEnd: () => null,
    guessHeader(bytes) {
      const guessed = guess(bytes)
      return guessed && wavHeader(UNKNOWN_LENGTH, guessed.format)
    },
    find: (bytes) => ({ at: guess(bytes)?.at ?? 0, startMs: null }),
  }
}
