import { memoized, words } from '../../../../../grounding/languages/language.ts'
import { LANGUAGES } from '../languages/index.ts'

/** Words of `determiners` that name subjects, too. */
const SUBJECTS = new Set(words('street public community'))
/** Words that are a noun in one language and join words in another: a car, and "car" in French. */
const NOUNS: Readonly<Record<string, string>> = {
  de: 'mais',
  en: 'car van son sin dove pendant door',
  es: 'sur par',
  fr: 'but dos van rond',
  it: 'van',
  nl: 'den mais',
  pl: 'las los',
  pt: 'par',
}

/**
 * Whether a word is an article, a possessive, a pronoun, a preposition or a conjunction in any language with data. People who change
 * languages within a sentence use such words of both, and they never name a subject.
 */
export const isFunctionWord = (word: string, locale: string): boolean =>
  ALL.has(word) && !nounsOf(locale).has(word)

const nounsOf = memoized((locale: string) => new Set(words(NOUNS[locale] ?? '')))

const ALL: ReadonlySet<string> = new Set(
  LANGUAGES.flatMap(({ determiners, conjunctions, beforeVerbs, stances }) => [
    ...[determiners, conjunctions, stances.prepositions].flatMap((list) => list.split('|')),
    ...words(beforeVerbs),
  ]).filter((word) => /^\p{L}{2,}$/u.test(word) && !SUBJECTS.has(word)),
)
