import { LANGUAGES, type LanguageWords } from './languages.ts'
import type { LeftOut } from './report-document.ts'

/** The fixed words of a report, and how its language writes dates, times and quotations. */
export interface Words extends LanguageWords {
  /** The language of the document, canonical BCP 47; `und` when it is no language tag. */
  language: string
  /** The language of these words, which is English where there are none in the document's. */
  spoken: string
  direction: 'ltr' | 'rtl'
  basis(conversations: number): string
  /** Null where nothing was. */
  without(leftOut: LeftOut): string | null
  date(iso: string): string
  quoted(text: string): string
  /** Of a place in a recording: 0:42, 12:05, 1:03:20. */
  time(seconds: number): string
  missing(characters: number): string
}

export function wordsFor(tag: string): Words {
  const locale = localeOf(tag)
  const words = LANGUAGES[locale.language]
  const spoken = words ? locale.toString() : 'en'
  const known = words ?? ENGLISH
  const plural = new Intl.PluralRules(spoken)
  const digits = new Intl.NumberFormat(spoken)
  const pick = (forms: readonly [one: string, other: string], count: number): string =>
    forms[plural.select(count) === 'one' ? 0 : 1].replace('#', digits.format(count))
  return {
    ...known,
    language: locale.toString(),
    spoken,
    direction: locale.getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr',
    basis: (conversations) => pick(known.basedOn, conversations),
    without: (leftOut) => {
      const reasons = Object.entries(known.leftOutFor) as [keyof LeftOut, readonly [string, string]][]
      const told = reasons.flatMap(([reason, forms]) =>
        leftOut[reason] > 0 ? [pick(forms, leftOut[reason])] : [],
      )
      return told.length === 0 ? null : `${known.leftOut} ${told.join(', ')}`
    },
    date: (iso) => dateIn(spoken, iso),
    quoted: (text) => `${known.quotes[0]}${text}${known.quotes[1]}`,
    time: clock,
    missing: (characters) => pick(known.notInFont, characters),
  }
}

const ENGLISH = LANGUAGES['en'] as LanguageWords

function localeOf(tag: string): Intl.Locale {
  try {
    return new Intl.Locale(tag)
  } catch {
    return new Intl.Locale('und')
  }
}

/** In UTC, so that the same report is the same bytes wherever it is rendered. */
function dateIn(language: string, iso: string): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  return new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeZone: 'UTC',
    numberingSystem: 'latn',
  }).format(date)
}

function clock(seconds: number): string {
  const two = (value: number): string => String(value % 60).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}:${two(seconds)}`
    : `${Math.floor(minutes / 60)}:${two(minutes)}:${two(seconds)}`
}
