import { languageOf } from './languages/index.ts'
import { lexiconFor } from './text/lexicon.ts'
import type { Evidence } from './types.ts'

/** Inflected forms of a word share their first letters. */
const STEM = 4
/** A capitalised word within a sentence. Short ones are titles and the like. */
const NAME = /(?<=[\p{L}\p{N},;] )\p{Lu}\p{Ll}{2,}/gu

/** Words of two languages cannot be compared. */
export const isComparable = (evidence: readonly Evidence[], language: string | null): boolean =>
  language !== null && evidence.every((one) => one.language === language)

/** Whether the text shares a meaningful word with the evidence. */
export function sharesWord(text: string, evidence: readonly Evidence[], language: string | null): boolean {
  const spoken = new Set(evidence.flatMap((one) => stemsOf(one.text, language)))
  return stemsOf(text, language).some((stem) => spoken.has(stem))
}

/** Whether all names in the text occur in the evidence. */
export function areNamesKnown(text: string, evidence: readonly Evidence[], language: string | null): boolean {
  if (language === null || languageOf(language)?.capitalizesNouns) return true
  const names = (text.match(NAME) ?? []).filter((name) => stemsOf(name, language).length > 0)
  if (names.length === 0) return true
  const spoken = new Set(evidence.flatMap((one) => one.text.match(/\p{L}+/gu) ?? []).map(stem))
  return names.every((name) => spoken.has(stem(name)))
}

const stem = (word: string): string => word.toLowerCase().slice(0, STEM)

export const stemsOf = (text: string, language: string | null): string[] =>
  lexiconFor(language)
    .terms(text)
    .flatMap((term) => (term ? stem(term.key) : []))

/** Whether each participant that the text names said some of the evidence, or is named there. `participants`: the names of all. */
export function areSpeakersRight(
  text: string,
  evidence: readonly Evidence[],
  participants: Iterable<string>,
): boolean {
  const named = new Set(text.match(/\p{Lu}[\p{L}’'-]+/gu))
  if (named.size === 0) return true
  const sources = evidence.map((one) => `${one.speaker ?? ''} ${one.text}`.toLowerCase())
  return [...participants]
    .flatMap((name) => name.match(/\p{Lu}[\p{L}’'-]{2,}/gu) ?? [])
    .every((name) => !named.has(name) || sources.some((source) => source.includes(name.toLowerCase())))
}
