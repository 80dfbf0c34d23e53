import { languageOf } from './languages/index.ts'
import { memoized } from './languages/language.ts'
import { stemsOf } from './shared-words.ts'
import { sentencesOf } from './text/sentences.ts'
import type { Evidence } from './types.ts'

/** A sentence with more words than this beyond those of the statement can negate something else. */
const MAX_OTHER_WORDS = 2
const MIN_WORDS = 2
/** A report says who wants something ("one person"), and leaves out when and why. */
const MAX_WORDS_OF_REPORT = 2
const MAX_WORDS_LEFT_OUT = 4
const CLAUSE = /[,;:–—]/u

/**
 * Whether the statement repeats what was said with "not" added or removed. Only near copies and wishes are compared: another paraphrase
 * can need a "not".
 */
export function isNegated(text: string, evidence: readonly Evidence[], language: string | null): boolean {
  const negation = negationOf(language)
  if (!negation) return false
  const clauses = evidence.flatMap((one) =>
    sentencesOf(one.text, one.language).flatMap((sentence) => [sentence, ...sentence.split(CLAUSE)]),
  )
  return sentencesOf(text, language).some((sentence) => {
    const stems = new Set(stemsOf(sentence, language))
    if (stems.size < MIN_WORDS) return false
    const isNegative = negation.test(sentence)
    if (isWishReversed(sentence, clauses, language)) return true
    const copies = clauses.flatMap((clause) => {
      const others = new Set(stemsOf(clause, language))
      if (!stems.isSubsetOf(others)) return []
      const isOpposite = negation.test(clause) !== isNegative
      // "There is no light" can paraphrase "it lacks light": an added "not" counts only if no other word was said.
      return others.size <= stems.size + (isOpposite && isNegative ? 0 : MAX_OTHER_WORDS) ? [isOpposite] : []
    })
    return copies.length > 0 && copies.every((isOpposite) => isOpposite)
  })
}

/** "One person does not want dogs on a leash" where only "I would like dogs on a leash" was said. */
function isWishReversed(sentence: string, clauses: readonly string[], language: string | null): boolean {
  const [negation, wish] = [negationOf(language), wishOf(language)]
  if (!negation || !wish?.test(sentence)) return false
  const isNegative = negation.test(sentence)
  // "Wants" and "would like" are different words for the same.
  const wordsOf = (text: string) => new Set(stemsOf(text.replace(wish, ' '), language))
  const stems = wordsOf(sentence)
  const similar = clauses.flatMap((clause) => {
    const others = wordsOf(clause)
    const shared = stems.intersection(others).size
    const added = stems.size - shared
    const isSimilar =
      shared >= MIN_WORDS &&
      shared > added &&
      added <= MAX_WORDS_OF_REPORT &&
      others.size - shared <= MAX_WORDS_LEFT_OUT
    if (!isSimilar) return []
    const isOpposite = negation.test(clause) !== isNegative
    return isOpposite && !wish.test(clause) ? [] : [isOpposite]
  })
  return similar.length > 0 && similar.every((isOpposite) => isOpposite)
}

const negationOf = memoized((language: string | null) => wholeWords(languageOf(language)?.negations))
const wishOf = memoized((language: string | null) => wholeWords(languageOf(language)?.wishes))

const wholeWords = (words: string | undefined): RegExp | undefined =>
  words === undefined ? undefined : new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu')
