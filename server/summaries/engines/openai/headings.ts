import { isReversed } from '../../../../grounding/check-claims.ts'
import { stemsOf } from '../../../../grounding/shared-words.ts'
import { lexiconFor } from '../../../../grounding/text/lexicon.ts'
import type { SourceLine } from '../../../../grounding/types.ts'
import { isGeneric } from '../extractive/words/stems.ts'

/** At least this share of the words that name a subject. */
const MIN_KNOWN = 2 / 3

/**
 * Whether most words of a heading that name a subject occur in its sources, or in the claims below it, which were checked before. A
 * model that verifies its own headings also supports invented ones.
 */
export function isHeadingGrounded(
  { text, evidence }: SourceLine,
  claims: readonly SourceLine[],
  language: string | null,
): boolean {
  if (isReversed(text, evidence, language)) return false
  const known = new Set([...evidence, ...claims].flatMap((one) => stemsOf(one.text, language)))
  const { locale, terms } = lexiconFor(language)
  const words = terms(text).flatMap((term) => (term && !isGeneric(term.key, locale) ? [term.key] : []))
  const said = words.filter((word) => stemsOf(word, language).some((stem) => known.has(stem)))
  return said.length >= MIN_KNOWN * words.length
}
