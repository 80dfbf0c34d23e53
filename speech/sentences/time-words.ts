import { SAMPLE_RATE } from '../../media/decode/limits.ts'
import type { RecognisedWord } from '../models/confidence.ts'
import type { Word } from '../types.ts'

const FRAME_SECONDS = 0.02
const FRAME = FRAME_SECONDS * SAMPLE_RATE
/** Frames this much quieter than the loud ones (-20 dB) are pauses between words. */
const PAUSE_LEVEL = 0.1

/**
 * Estimates when each word was spoken, in seconds from the beginning of `samples`: neither model reports it. Each character takes an
 * equal share of the time in which there is sound, so that pauses fall between words.
 */
export function timeWords(words: readonly RecognisedWord[], samples: Float32Array): Word[] {
  const frames = soundingFrames(samples)
  const lengths = words.map(({ text }) => Math.max(1, text.length))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  let before = 0
  return words.map(({ text, confidence }, index) => {
    const first = Math.round((before / total) * frames.length)
    before += lengths[index] as number
    const last = Math.max(first, Math.round((before / total) * frames.length) - 1)
    const start = (frames[first] ?? frames.at(-1) ?? 0) * FRAME_SECONDS
    const end = ((frames[last] ?? frames.at(-1) ?? 0) + 1) * FRAME_SECONDS
    return { start, end, text, confidence }
  })
}

/** The numbers of the frames that are not in a pause; all, if the sound has no level. */
function soundingFrames(samples: Float32Array): number[] {
  const levels = Array.from({ length: Math.max(1, Math.floor(samples.length / FRAME)) }, (_, frame) =>
    levelOf(samples.subarray(frame * FRAME, (frame + 1) * FRAME)),
  )
  const loud = levels.toSorted((a, b) => a - b)[Math.floor(levels.length * 0.9)] ?? 0
  return levels.flatMap((level, frame) => (level >= loud * PAUSE_LEVEL ? [frame] : []))
}

const levelOf = (frame: Float32Array): number =>
  Math.sqrt(frame.reduce((sum, value) => sum + value * value, 0) / Math.max(1, frame.length))
