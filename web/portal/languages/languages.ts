import type { TextKey, Texts } from './texts.ts'

/** The languages of the page, by their own names. A catalogue is loaded when it is needed. */
export const LANGUAGES = {
  en: 'English',
  nl: 'Nederlands',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  pt: 'Português',
  pl: 'Polski',
  uk: 'Українська',
  ar: 'العربية',
} as const

export type Language = keyof typeof LANGUAGES

const load: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('./en.ts')).en,
  nl: async () => (await import('./nl.ts')).nl,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  it: async () => (await import('./it.ts')).it,
  pt: async () => (await import('./pt.ts')).pt,
  pl: async () => (await import('./pl.ts')).pl,
  uk: async () => (await import('./uk.ts')).uk,
  ar: async () => (await import('./ar.ts')).ar,
}

export type Translate = (key: TextKey, values?: Record<string, string | number>) => string

export async function loadLanguage(language: Language): Promise<Translate> {
  const texts = await load[language]()
  return (key, values = {}) =>
    texts[key].replace(/\{(\w+)\}/g, (_match, name: string) => isolated(values[name] ?? ''))
}

/** A name that a stranger wrote can contain controls that turn the words after it around, or end an isolation. */
const isolated = (value: string | number): string => {
  const text = String(value).replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
  return /\p{L}/u.test(text) ? `\u2068${text}\u2069` : text
}

export const isRightToLeft = (language: string): boolean => /^(ar|fa|he|ur)\b/.test(language)

const pageLanguage = (tag: string): Language | null => {
  const [primary = ''] = tag.toLowerCase().split('-')
  return primary in LANGUAGES ? (primary as Language) : null
}

/**
 * The language of the page: the one that the participant chose; else the browser's, if the project offers it; else the project's;
 * else, where the project detects languages, the browser's; else English.
 */
export function chooseLanguage(
  project: { language: string; languages: readonly string[] } | null,
  browser: readonly string[],
  chosen: string | null = null,
): Language {
  const own = chosen === null ? null : pageLanguage(chosen)
  if (own) return own
  const wanted = browser.flatMap((tag) => pageLanguage(tag) ?? [])
  const [first] = wanted
  if (!project) return first ?? 'en'
  const offered = [project.language, ...project.languages].flatMap((tag) => pageLanguage(tag) ?? [])
  if (offered.length === 0) return first ?? 'en'
  // Only the first choice counts: most browsers list English somewhere.
  return (first && offered.includes(first) ? first : offered[0]) ?? 'en'
}

/** The languages in which one can speak here: those of the project. Empty where any is detected. */
export const spokenLanguages = ({
  language,
  languages,
}: {
  language: string
  languages: readonly string[]
}): string[] => [...new Set([language, ...languages].filter((tag) => tag !== 'auto'))]

/** A length in words, such as `5 seconds` or, from two minutes on, `3 minutes`. */
export function lengthInWords(language: Language, ms: number): string {
  const isLong = ms >= 120_000
  const count = Math.max(1, Math.round(ms / (isLong ? 60_000 : 1_000)))
  const unit = isLong ? 'minute' : 'second'
  const format = { style: 'unit', unit, unitDisplay: 'long', numberingSystem: 'latn' } as const
  return new Intl.NumberFormat(language, format).format(count)
}

/** `1:05`, or `1:02:05` from an hour on. */
export function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
