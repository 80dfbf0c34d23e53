import type { ScoredToken } from './confidence.ts'

/** Tokens per second. 34 finished stretches of English had at most 4.4; repetitions that were invented for truncated speech had 5.2 to 8.3. */
const MAX_TOKENS_PER_SECOND = 5
/** Tokens with letters or digits. People say a word or two several times, however fast. */
const MIN_REPEATED_TOKENS = 5

/**
 * Removes a repetition at the end if the audio is too short for it to have been spoken twice. Decoders begin the sentence again when the
 * audio ends within it.
 */
export function withoutRushedRepetition(
  scored: readonly ScoredToken[],
  seconds: number,
  textOf: (tokens: number[]) => string,
): ScoredToken[] {
  if (scored.length <= MAX_TOKENS_PER_SECOND * seconds) return [...scored]
  return scored.slice(0, scored.length - repeatedAtEnd(scored.map(({ token }) => lettersOf(textOf([token])))))
}

/** A sentence that begins again can have a capital letter or not. */
const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

/** How many tokens at the end repeat those before them, punctuation included. */
function repeatedAtEnd(letters: readonly string[]): number {
  const words = letters.flatMap((text, index) => (text === '' ? [] : [{ text, index }]))
  let longest = 0
  for (let shift = 1; shift < words.length; shift++) longest = Math.max(longest, matchingAtEnd(words, shift))
  const first = words.at(-longest)?.index ?? letters.length
  return longest < MIN_REPEATED_TOKENS ? 0 : letters.length - first
}

function matchingAtEnd(words: readonly { text: string }[], shift: number): number {
  const shifted = words.slice(shift)
  return shifted.length - 1 - shifted.findLastIndex(({ text }, index) => text !== words[index]?.text)
}
