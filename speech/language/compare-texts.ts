import { UNCLEAR_BELOW } from '../types.ts'

/** The text of a stretch of speech, recognised as this language. */
export interface Reading {
  language: string
  text: string
  confidence: number
}

/** How much more confident the text in another language must be. */
const CLEARLY_BETTER = 0.1
/** Whether two texts share more than half of their words: "Yeah, sure" and "Yeah, shopping" do not. */
export function agree(one: string, other: string): boolean {
  const [words, others] = [one, other].map(
    (text) => new Set(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []),
  ) as [Set<string>, Set<string>]
  const larger = Math.max(words.size, others.size)
  return larger === 0 || words.intersection(others).size > larger / 2
}

/**
 * The reading in another language that makes more sense than the current one. Detection alone is often wrong for short answers: "Ja, dat
 * denk ik ook" was taken for English. `isDenied`: a second model read other words in the current language, so its confidence means little.
 */
export function betterReading(
  current: Reading,
  rivals: readonly Reading[],
  isDenied: boolean,
): Reading | undefined {
  const isBetter = ({ text, confidence }: Reading): boolean =>
    // Whisper writes English words even when asked for German.
    isDenied ? !agree(text, current.text) : confidence >= current.confidence + CLEARLY_BETTER
  return mostConfident(rivals.filter((rival) => rival.confidence >= UNCLEAR_BELOW && isBetter(rival)))
}

/** Below it, a text is probably invented. The first stretches in 13 languages had at least 0.34, grunts that sounded like Japanese 0.19 to 0.33. */
export const UNLIKELY_SPEECH = 0.3
/** Sufficient for either value (detected probability or text confidence), provided the text is likelier than the current one. */
export const CLEAR = 0.5

/**
 * The reading that explains speech that is unclear in the current language. The text is marked either way, but should not have words of
 * a language that was not spoken.
 */
export function likelierReading(
  current: Reading,
  rivals: readonly Reading[],
  probabilityOf: (language: string) => number,
): Reading | undefined {
  if (current.confidence >= UNCLEAR_BELOW) return undefined
  const isLikelier = ({ language, confidence }: Reading): boolean =>
    probabilityOf(language) >= CLEAR
      ? confidence >= Math.max(UNLIKELY_SPEECH, current.confidence)
      : current.confidence < UNLIKELY_SPEECH && confidence >= CLEAR
  return mostConfident(rivals.filter(isLikelier))
}

const mostConfident = (readings: readonly Reading[]): Reading | undefined =>
  readings.toSorted((one, other) => other.confidence - one.confidence)[0]
