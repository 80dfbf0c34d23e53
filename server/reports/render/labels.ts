import { LANGUAGES, type LanguageLabels } from './languages.ts'
import type { LeftOut } from './report-document.ts'

export type Labels = ReturnType<typeof labelsFor>

/** The fixed texts of a report, and the formats of dates, times and quotations in its language. */
export function labelsFor(tag: string) {
  const locale = localeOf(tag)
  const labels = LANGUAGES[locale.language]
  const spoken = labels ? locale.toString() : 'en'
  const known = labels ?? ENGLISH
  const { plural, digits, dates } = formatsOf(spoken)
  const pick = (forms: readonly [one: string, other: string], count: number): string =>
    forms[plural.select(count) === 'one' ? 0 : 1].replace('#', digits.format(count))
  return {
    ...known,
    /** The language of the document as canonical BCP 47 tag; `und` if it is not a valid tag. */
    language: locale.toString(),
    /** The language of these texts: English if there is no translation. */
    labelLanguage: spoken,
    direction: locale.getTextInfo().direction === 'rtl' ? ('rtl' as const) : ('ltr' as const),
    peopleCount: (people: number): string => pick(known.people, people),
    /** Null if nothing was left out. */
    leftOutText(leftOut: LeftOut): string | null {
      const reasons = (Object.keys(known.leftOutFor) as (keyof LeftOut)[])
        .filter((reason) => leftOut[reason] > 0)
        .map((reason) => pick(known.leftOutFor[reason], leftOut[reason]))
      return reasons.length === 0 ? null : `${known.leftOut} ${reasons.join(', ')}`
    },
    date: (iso: string): string => dateIn(dates, iso),
    /** Empty if none of them is a date. */
    period: (isos: readonly string[]): string => periodIn(dates, isos),
    quoted: (text: string): string => `${known.quotes[0]}${text}${known.quotes[1]}`,
    /** A position in a recording: 0:42, 12:05, 1:03:20. */
    time: clock,
    missingCharacters: (characters: number): string => pick(known.notInFont, characters),
  }
}

const ENGLISH = LANGUAGES['en'] as LanguageLabels

function localeOf(tag: string): Intl.Locale {
  try {
    return new Intl.Locale(tag)
  } catch {
    return new Intl.Locale('und')
  }
}

/** In UTC, so that a report has the same bytes on every machine. */
const DATE = { dateStyle: 'long', timeZone: 'UTC', numberingSystem: 'latn' } as const

interface Formats {
  plural: Intl.PluralRules
  digits: Intl.NumberFormat
  dates: Intl.DateTimeFormat
}

/** By language: building them takes half a millisecond, and a report shows many dates. */
const formatsByLanguage = new Map<string, Formats>()
/** Tags with regions and extensions are countless. */
const MAX_LANGUAGES = 100

function formatsOf(language: string): Formats {
  const existing = formatsByLanguage.get(language)
  if (existing) return existing
  if (formatsByLanguage.size >= MAX_LANGUAGES) formatsByLanguage.clear()
  const formats = {
    plural: new Intl.PluralRules(language),
    digits: new Intl.NumberFormat(language),
    dates: new Intl.DateTimeFormat(language, DATE),
  }
  formatsByLanguage.set(language, formats)
  return formats
}

function dateIn(dates: Intl.DateTimeFormat, iso: string): string {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? '' : dates.format(date)
}

function periodIn(dates: Intl.DateTimeFormat, isos: readonly string[]): string {
  const times = isos.map((iso) => Date.parse(iso)).filter((time) => !Number.isNaN(time))
  if (times.length === 0) return ''
  return dates.formatRange(Math.min(...times), Math.max(...times))
}

function clock(seconds: number): string {
  const two = (value: number): string => String(value % 60).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}:${two(seconds)}`
    : `${Math.floor(minutes / 60)}:${two(minutes)}:${two(seconds)}`
}
