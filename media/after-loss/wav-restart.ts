import { wavFormatOf, wavHeader } from '../split/wav.ts'
import type { RestartRule } from './restart-point.ts'
import { firstFrameIn, type GuessedFormat, guessWavFormat } from './wav-format.ts'

/** Samples have no marks: slices that do not hold whole samples begin where the samples are continuous. */
export const wavRestart: RestartRule = {
  container: 'wav',
  headerEnd(bytes) {
    const format = bytes.indexOf('fmt ')
    const data = bytes.indexOf('data')
    if (format < 0 || data < format + 24) return null
    return bytes.readUInt16LE(format + 20) > 0 ? data + 8 : null
  },
  find(bytes, header, file) {
    const chunk = header.subarray(header.indexOf('fmt ') + 8)
    const format = wavFormatOf(chunk)
    const isWhole = (file.length - header.length) % chunk.readUInt16LE(12) === 0
    const at = format && firstFrameIn(bytes, format, isWhole)
    // Neither silence nor noise shows where a sample begins: the next slice does, unless this one continues the first.
    if (at === null) return isWhole ? { at: 0, startMs: null } : null
    return { at, startMs: null }
  },
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
