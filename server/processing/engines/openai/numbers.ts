import { type NumberWords, numberWordsOf } from './number-words.ts'

/** A number in a text. */
export interface Figure {
  /** Its value, as `1500000` or `2.5`; several where `1.000` could be a thousand or one. */
  readings: string[]
  /** Of a time, a date or a price the numbers in it, which others write apart; else none. */
  parts: string[]
  isPercent: boolean
}

/** People and models write these out; and count their sources by them. */
const MOST_COUNTED = 12
/** `#3` names a conversation; in `CO2` and `A7` it belongs to a name. */
const DIGITS = /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d#])\d+(?:[.,'’]\d+| \d{3}(?!\d))*/gu
const PERCENT = /%|٪|\bper ?cent[oi]?\b|\bpct\b|\bpro[cz]ent\b|\bpour ?cent\b|\bpor ?ciento\b/giu
/** Where digits of other scripts begin. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]
const MOST_WORDS = 6

/** What a claim says in numbers. Small ones in words are left alone. */
export const claimedFigures = (text: string, language: string | null): Figure[] => [
  ...figuresIn(text, language),
  ...spelledIn(text, language).filter(({ readings: [value] }) => Number(value) > MOST_COUNTED),
]

/** All that counts as said: `25%` of a percentage too. */
export function saidNumbers(text: string, language: string | null): string[] {
  const figures = [...figuresIn(text, language, 'also unscaled'), ...spelledIn(text, language)]
  return figures.flatMap(({ readings, parts, isPercent }) => [
    ...readings,
    ...parts,
    ...(isPercent ? readings.map((value) => `${value}%`) : []),
  ])
}

export const canSpell = (language: string | null): boolean => numberWordsOf(language) !== undefined

/** White space of all kinds is a space, digits are ASCII, a percentage has its sign. */
const even = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0
      const zero = ZEROS.findLast((one) => one <= code) ?? 0
      return code > 127 && zero > 0 && code - zero < 10 ? String(code - zero) : digit
    })
    .replace(/\s+/gu, ' ')
    .replace(PERCENT, '%')

function figuresIn(text: string, language: string | null, wanted?: 'also unscaled'): Figure[] {
  const evened = even(text)
  return Array.from(evened.matchAll(DIGITS), (match) => {
    const token = match[0]
    const after = evened.slice(match.index + token.length)
    const values = valuesOf(token, language)
    const factor = scaleAt(after, language)
    return {
      readings: [
        ...values.map((value) => String(value * factor)),
        ...(wanted && factor > 1 ? values.map(String) : []),
      ],
      parts: values.length === 0 || isPair(token) ? groupsOf(token) : [],
      isPercent: /^ ?%/.test(after),
    }
  })
}

/** By the language's own marks; where it is not known, every way. */
function valuesOf(token: string, language: string | null): number[] {
  const bare = token.replace(/[ '’]/g, '')
  const marks = bare.match(/[.,]/g) ?? []
  const groups = bare.split(/[.,]/)
  const grouped = Number(groups.join(''))
  const last = groups.at(-1) ?? ''
  const decimal = Number(`${groups.slice(0, -1).join('')}.${last}`)
  if (marks.length === 0) return [Number(bare)]
  if (new Set(marks).size > 1) return [decimal]
  const areGroups =
    groups.slice(1).every(({ length }) => length === 3) && /^[1-9]\d{0,2}$/.test(groups[0] ?? '')
  if (marks.length > 1) return areGroups ? [grouped] : []
  if (!areGroups) return [decimal]
  const mark = decimalMarkOf(language)
  if (mark === null) return [grouped, decimal]
  return [marks[0] === mark ? decimal : grouped]
}

function decimalMarkOf(language: string | null): string | null {
  try {
    const [locale] = Intl.NumberFormat.supportedLocalesOf(language ?? [])
    if (locale === undefined) return null
    const parts = new Intl.NumberFormat(locale).formatToParts(0.5)
    return parts.find(({ type }) => type === 'decimal')?.value ?? null
  } catch {
    return null
  }
}

/** `10.30`, `3,50` and `5 300` may be two numbers; never `3.5`, whose halves prove nothing. */
const isPair = (token: string): boolean => /^\d+(?:[.,]\d\d| \d+)$/.test(token)

const groupsOf = (token: string): string[] => token.split(/[.,' ’]/).map((group) => String(Number(group)))

function scaleAt(after: string, language: string | null): number {
  const word = /^[ -]?(\p{L}+)/u.exec(bareWord(after.slice(0, 24)))?.[1]
  return numberWordsOf(language)?.scales.get(word ?? '') ?? 1
}

const bareWord = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')

function spelledIn(text: string, language: string | null): Figure[] {
  const words = numberWordsOf(language)
  if (!words) return []
  const tokens = apart(bareWord(even(text))).match(TOKEN) ?? []
  const figures: Figure[] = []
  for (let at = 0; at < tokens.length; ) {
    const { figure, end } = figureAt(tokens, at, words)
    if (figure) figures.push(figure)
    at = Math.max(end, at + 1)
  }
  return figures
}

/** A comma ends a number, a hyphen does not. */
const TOKEN = /\p{L}+|\d+|[^\s\p{L}\d-]/gu

function figureAt(
  tokens: readonly string[],
  at: number,
  words: NumberWords,
): { figure?: Figure; end: number } {
  // What follows digits belongs to them.
  if (/^\d/.test(tokens[at] ?? '')) return { end: words.scales.has(tokens[at + 1] ?? '') ? at + 2 : at + 1 }
  const { value, end } = spelledAt(tokens, at, words)
  if (value === null) return { end }
  const next = spelledAt(tokens, end, words)
  const isYear = isBetween(value, 11, 20) && isBetween(next.value, 10, 99)
  if (isYear && next.value !== null)
    return { figure: figureOf(100 * value + next.value, [value, next.value]), end: next.end }
  return { figure: { ...figureOf(value), isPercent: tokens[end] === '%' }, end }
}

const figureOf = (value: number, parts: number[] = []): Figure => ({
  readings: [String(value)],
  parts: parts.map(String),
  isPercent: false,
})

const isBetween = (value: number | null, low: number, high: number): boolean =>
  value !== null && low <= value && value <= high

/** German, Dutch and Italian write thousands in one word. */
const apart = (text: string): string => text.replace(/tausend|duizend|mila(?!\p{L}*no\b)/gu, ' $& ')

/** Thousands, millions and so on, each with what stands before it, and what is left at the end. */
function spelledAt(
  tokens: readonly string[],
  start: number,
  words: NumberWords,
): { value: number | null; end: number } {
  let total: number | null = null
  let smallest = Number.POSITIVE_INFINITY
  let end = start
  for (;;) {
    const small = longestAt(tokens, end, words.below1000)
    const scale = words.scales.get(tokens[small.end] ?? '') ?? 1
    if ((small.value === null && scale === 1) || scale >= smallest) return { value: total, end }
    total = (total ?? 0) + (small.value ?? 1) * scale
    end = small.end + (scale > 1 ? 1 : 0)
    smallest = scale
  }
}

function longestAt(tokens: readonly string[], at: number, below1000: NumberWords['below1000']) {
  for (let count = MOST_WORDS; count > 0; count--) {
    const value = below1000.get(tokens.slice(at, at + count).join(''))
    if (value !== undefined) return { value, end: at + count }
  }
  return { value: null, end: at }
}
