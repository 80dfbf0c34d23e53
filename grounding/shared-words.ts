import type { Said } from '../server/summaries/engines/openai/sources.ts'
import { lexiconFor } from './text/lexicon.ts'

/** Inflected words share their beginning. */
const STEM = 4
/** In these every noun is written as a name is. */
const CAPITAL_NOUNS = new Set(['de', 'lb'])
/** Inside a sentence: after a word or a comma. Short ones are titles and the like. */
const NAME = /(?<=[\p{L}\p{N},;] )\p{Lu}\p{Ll}{2,}/gu

/** Words of two languages can't be compared. */
export const isComparable = (said: readonly Said[], language: string | null): boolean =>
  language !== null && said.every((one) => one.language === language)

/** Whether some word that carries meaning was said. */
export function sharesWord(text: string, said: readonly Said[], language: string | null): boolean {
  const spoken = new Set(said.flatMap((one) => stemsOf(one.text, language)))
  return stemsOf(text, language).some((stem) => spoken.has(stem))
}

/** Whether everybody and every place that is named was named; in another language they may have another name. */
export function namesHold(text: string, said: readonly Said[], language: string | null): boolean {
  if (language === null || CAPITAL_NOUNS.has(language)) return true
  const names = (text.match(NAME) ?? []).filter((name) => stemsOf(name, language).length > 0)
  if (names.length === 0) return true
  const spoken = new Set(said.flatMap((one) => one.text.match(/\p{L}+/gu) ?? []).map(stem))
  return names.every((name) => spoken.has(stem(name)))
}

const stem = (word: string): string => word.toLowerCase().slice(0, STEM)

const stemsOf = (text: string, language: string | null): string[] =>
  lexiconFor(language)
    .terms(text)
    .flatMap((term) => (term ? stem(term.key) : []))
