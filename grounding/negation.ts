import { languageOf } from './languages/index.ts'
import { memoized } from './languages/language.ts'
import { stemsOf } from './shared-words.ts'
import { sentencesOf } from './text/sentences.ts'
import type { Evidence } from './types.ts'

/** A sentence with more words than this beyond those of the statement can negate something else. */
const MAX_OTHER_WORDS = 2
const MIN_WORDS = 2
const CLAUSE = /[,;:–—]/u

/** Whether the statement repeats what was said with "not" added or removed. Only near copies are compared: a paraphrase can need a "not". */
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

const negationOf = memoized((language: string | null): RegExp | undefined => {
  const words = languageOf(language)?.negations
  return words === undefined ? undefined : new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu')
})
