import stopWordsIso from 'stopwords-iso/stopwords-iso.json' with { type: 'json' }

/** A word that carries meaning. */
export interface Term {
  /** Lower case, without an article that is glued to it: what is counted and compared. */
  key: string
  /** As it was said. */
  surface: string
}

/** What is known of a language without a model: where its words end, and which of them say nothing. */
export interface Lexicon {
  locale: string
  /** Word by word; null stands for one that says nothing, so that neighbours can be told. */
  terms(text: string): (Term | null)[]
}

const STOP_WORDS: Readonly<Record<string, string[]>> = stopWordsIso
/** Sounds of speech that no list of written words has. */
const HESITATIONS = [
  'uh',
  'uhm',
  'um',
  'er',
  'erm',
  'eh',
  'ehm',
  'äh',
  'ähm',
  'euh',
  'hm',
  'mhm',
  'yeah',
  'okay',
]
/** `l'école` is one word to the segmenter. */
const GLUED_ARTICLE = /^(?:[cdjlmnst]|qu|dell|all|dall|nell|sull|quell|quest|un)'(?=\p{L}{2})/u
const lexicons = new Map<string, Lexicon>()

/** For an unknown language, or one without a list: no stop words. */
export function lexiconFor(language: string | null): Lexicon {
  const locale = localeOf(language)
  const known = lexicons.get(locale)
  if (known) return known
  const made = makeLexicon(locale)
  lexicons.set(locale, made)
  return made
}

/** A language that Intl understands; the rules without a language are those of `en`. */
export function localeOf(language: string | null): string {
  try {
    const [locale] = Intl.Segmenter.supportedLocalesOf(language ?? 'en')
    return locale === undefined ? 'en' : new Intl.Locale(locale).language
  } catch {
    return 'en'
  }
}

/** `pt` of `pt-BR`. */
export const primaryLanguage = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? tag

function makeLexicon(locale: string): Lexicon {
  const segmenter = new Intl.Segmenter(locale, { granularity: 'word' })
  const stopWords = new Set([...(STOP_WORDS[locale] ?? []), ...HESITATIONS])
  const termOf = (surface: string): Term | null => {
    const whole = surface.toLocaleLowerCase(locale).replaceAll('’', "'")
    const key = whole.replace(GLUED_ARTICLE, '')
    return stopWords.has(whole) || stopWords.has(key) || !hasMeaning(key) ? null : { key, surface }
  }
  return {
    locale,
    terms(text) {
      const terms: (Term | null)[] = []
      for (const { segment, isWordLike } of segmenter.segment(text))
        if (isWordLike) terms.push(termOf(segment))
      return terms
    },
  }
}

/** A single letter means nothing, a single Han character can; a number alone is no subject. */
const hasMeaning = (key: string): boolean => /\p{L}.*\p{L}|\p{Script=Han}/su.test(key)

const SAMPLE_CHARACTERS = 4_000
/** Any text has some of every language's shortest words; and a few words prove nothing. */
const ENOUGH = 0.2
const MIN_WORDS = 5

/** The language whose stop words cover most of the beginning of the text; null where none covers much. */
export function guessLanguage(texts: readonly string[]): string | null {
  const sample = texts.join(' ').slice(0, SAMPLE_CHARACTERS)
  const words: string[] = []
  for (const { segment, isWordLike } of new Intl.Segmenter('en', { granularity: 'word' }).segment(sample))
    if (isWordLike) words.push(segment.toLowerCase())
  if (words.length < MIN_WORDS) return null
  let best: [language: string | null, hits: number] = [null, words.length * ENOUGH]
  for (const [language, list] of Object.entries(STOP_WORDS)) {
    const stopWords = new Set(list)
    const hits = words.filter((word) => stopWords.has(word)).length
    if (hits > best[1]) best = [language, hits]
  }
  return best[0]
}
