import stopWordsIso from 'stopwords-iso/stopwords-iso.json' with { type: 'json' }
import { anyOf, inAllLanguages } from '../languages/index.ts'
import { memoized, words } from '../languages/language.ts'

/** A word that carries meaning. */
export interface Term {
  /** Lower case, without an elided article; used for counting and comparing. */
  key: string
  /** As it occurs in the text. */
  surface: string
}

/** Splits text of a language into words, and knows its stop words. */
export interface Lexicon {
  locale: string
  /** Word by word. Stop words are null, so that neighbours can be recognised. */
  terms(text: string): (Term | null)[]
}

const STOP_WORDS: Readonly<Record<string, string[]>> = stopWordsIso
const HESITATIONS = inAllLanguages(({ hesitations }) => hesitations).flatMap(words)
/** `l'école` is one word to the segmenter. */
const ELIDED_ARTICLE = new RegExp(`^(?:${anyOf(({ elisions }) => elisions)})'(?=\\p{L}{2})`, 'u')

/** An unknown language, or one without a list, has no stop words. */
export const lexiconFor = (language: string | null): Lexicon => lexiconOf(localeOf(language))

/** A language that Intl supports; `en` otherwise. */
export function localeOf(language: string | null): string {
  try {
    const [locale] = Intl.Segmenter.supportedLocalesOf(language ?? 'en')
    return locale === undefined ? 'en' : new Intl.Locale(locale).language
  } catch {
    return 'en'
  }
}

const lexiconOf = memoized((locale: string): Lexicon => {
  const stopWords = new Set([...(STOP_WORDS[locale] ?? []), ...HESITATIONS])
  const termOf = (surface: string): Term | null => {
    const whole = surface.toLocaleLowerCase(locale).replaceAll('’', "'")
    const key = whole.replace(ELIDED_ARTICLE, '')
    return stopWords.has(whole) || stopWords.has(key) || !hasMeaning(key) ? null : { key, surface }
  }
  return { locale, terms: (text) => wordsIn(text, segmenterFor(locale)).map(termOf) }
})

/** Created when a text is read: the first segmenter takes 30 ms, for which each start of the service would wait. */
const segmenterFor = memoized((locale: string) => new Intl.Segmenter(locale, { granularity: 'word' }))

const wordsIn = (text: string, segmenter: Intl.Segmenter): string[] => {
  const found: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(text)) if (isWordLike) found.push(segment)
  return found
}

/** At least two letters, or one Han character. */
const hasMeaning = (key: string): boolean => /\p{L}.*\p{L}|\p{Script=Han}/su.test(key)

/** The most frequent languages with a list of stop words. Others are recognised only if they are the language of the conversation. */
const MIXED = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'pt'] as const
const MIN_MIXED_WORDS = 6
const MIN_MIXED_SHARE = 0.4
/** Words such as "in" and "die" are stop words of several languages. */
const MIN_LEAD = 0.25

/** The language of a text of a conversation in the given language: another one only if its stop words clearly are of that. */
export function languageWithin(text: string, given: string): string {
  const found = wordsIn(text, segmenterFor('en')).map((word) => word.toLowerCase())
  if (found.length < MIN_MIXED_WORDS) return given
  const shareOf = (language: string) =>
    found.filter((word) => stopWordsOf(language).has(word)).length / found.length
  const needed = Math.max(MIN_MIXED_SHARE, shareOf(given) + MIN_LEAD)
  let best: [language: string, share: number] = [given, needed]
  for (const language of MIXED) {
    const share = language === given ? 0 : shareOf(language)
    if (share > best[1]) best = [language, share]
  }
  return best[0]
}

const stopWordsOf = memoized((language: string) => new Set(STOP_WORDS[language] ?? []))

const SAMPLE_CHARACTERS = 4_000
/** Every text contains some short words of every language, so a language must cover this share of at least so many words. */
const MIN_SHARE = 0.2
const MIN_WORDS = 5

/** The language whose stop words cover most of the beginning of the text; null if none covers enough. */
export function guessLanguage(texts: readonly string[]): string | null {
  const sample = texts.join(' ').slice(0, SAMPLE_CHARACTERS)
  const sampleWords = wordsIn(sample, segmenterFor('en')).map((word) => word.toLowerCase())
  if (sampleWords.length < MIN_WORDS) return null
  let best: [language: string | null, hits: number] = [null, sampleWords.length * MIN_SHARE]
  for (const language of Object.keys(STOP_WORDS)) {
    const stopWords = stopWordsOf(language)
    const hits = sampleWords.filter((word) => stopWords.has(word)).length
    if (hits > best[1]) best = [language, hits]
  }
  return best[0]
}
