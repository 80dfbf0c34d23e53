/** Something that was said, in milliseconds of whatever line of time the caller counts in. */
export interface Phrase {
  start: number
  end: number
  text: string
}

/** A phrase that ends so shortly before the seam ran into it: engines tell ends to a third of a second. */
const RAN_INTO_MS = 500
/** A phrase so short says too little to be understood by itself: the one before it is heard again as well. */
const SHORT_MS = 2_000
/** Phrases so close to each other were said in one breath. */
const BREATH_MS = 350
/** Longer phrases are not heard again: engines end theirs after 20 s. */
const MOST_MS = 24_000
/** Heard again where nobody spoke at the end: a soft beginning of the next word may lie there. */
const SILENCE_MS = 1_000
/** But not the end of a word again, of which engines tell the time roughly. */
const TAIL_MS = 250

/**
 * Where to begin hearing what follows `moment`. A phrase that ran into the seam is heard again from its beginning, so that no
 * word is cut in two and what was said is understood whole: chunks of 7 s had 9 % of their words wrong before, and since then as
 * few as a whole recording.
 */
export function seamAt(moment: number, phrases: readonly Phrase[], earliest: number): number {
  const [last, before] = phrases.toReversed()
  if (!last || last.end < moment - RAN_INTO_MS)
    return Math.max(earliest, moment - SILENCE_MS, last ? last.end + TAIL_MS : earliest)
  const isShort = last.end - last.start < SHORT_MS
  const begins =
    isShort && before && last.start - before.end < BREATH_MS ? [before.start, last.start] : [last.start]
  return begins.find((start) => start >= earliest && moment - start <= MOST_MS) ?? moment
}

/** Less is a word or a piece of one, of which the whole may look quite different. */
const FRAGMENT_MS = 1_000

/** Whether what was heard of a seam the first time is in what was heard of it the second time: then it goes. */
export function isReplaced(first: readonly Phrase[], second: readonly Phrase[], moment: number): boolean {
  const again = second.filter(({ start }) => start < moment)
  const length = (first.at(-1)?.end ?? 0) - (first[0]?.start ?? 0)
  return length < FRAGMENT_MS ? again.length > 0 : isSaidAgain(textOf(first), textOf(again))
}

const textOf = (phrases: readonly Phrase[]): string => phrases.map(({ text }) => text).join(' ')

/** Of the letter pairs of what was heard first, so many must come again. */
const ALIKE = 0.5

/**
 * Whether a phrase is in what was heard the second time, perhaps whole now; else it must not be replaced by it. However often a
 * pair comes: what is cut off makes some engines say the same again and again.
 */
export function isSaidAgain(phrase: string, heardAgain: string): boolean {
  const [letters, lettersAgain] = [lettersOf(phrase), lettersOf(heardAgain)]
  if (letters.length < 2) return lettersAgain.includes(letters[0] ?? '')
  const [pairs, again] = [pairsOf(letters), pairsOf(lettersAgain)]
  return pairs.intersection(again).size >= pairs.size * ALIKE
}

const lettersOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]/gu) ?? []

const pairsOf = (letters: readonly string[]): Set<string> =>
  new Set(letters.slice(1).map((letter, place) => `${letters[place]}${letter}`))
