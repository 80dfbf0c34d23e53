import type { Recognition } from '../models/confidence.ts'

/** Longer texts are speech: sometimes Whisper writes everything in capitals. */
const MAX_WORDS = 4
/** Letters. Shorter words in capitals are abbreviations, such as OK. */
const MIN_LETTERS = 4
/** Whisper is surer than this of abbreviations that somebody said. */
const SURE = 0.3

/**
 * Whether the text only names a sound, as subtitles do ("MUZIEK.", "CHEERING AND APPLAUSE"): a few words in capitals of which Whisper is
 * unsure.
 */
export function isSoundDescription({ text, words }: Recognition): boolean {
  const letters = text.match(/\p{L}/gu) ?? []
  const isInCapitals = text === text.toUpperCase() && text !== text.toLowerCase()
  const isUnsure = words.some(({ confidence }) => confidence < SURE)
  return isInCapitals && isUnsure && letters.length >= MIN_LETTERS && words.length <= MAX_WORDS
}
