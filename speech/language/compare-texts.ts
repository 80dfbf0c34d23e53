/** What a model makes of a stretch if it is taken for this language. */
export interface Reading {
  language: string
  text: string
  confidence: number
}

/** A text with a lower confidence is probably wrong. */
const CLEAR = 0.55
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
    // Whisper writes English words also if it is told that they are German.
    isDenied ? !agree(text, current.text) : confidence >= current.confidence + CLEARLY_BETTER
  return rivals
    .filter((rival) => rival.confidence >= CLEAR && isBetter(rival))
    .toSorted((one, other) => other.confidence - one.confidence)[0]
}
