import { anyOf } from '../languages/index.ts'
import { withoutAccents } from '../languages/language.ts'
import { numberWordsOf } from './number-words.ts'
import { type Figure, RANGE, scaled, spelledNumbers } from './spelled-numbers.ts'

/** Smaller numbers in words are not checked: people and models use them to count. */
const MAX_UNCHECKED_COUNT = 12
/** A time, or a number. Not `#3`, which names a conversation, nor a part of a name such as `CO2` or `A7`. */
const DIGITS =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d#])(?:\d{1,2}(?::\d\d){1,2}(?!\d)|\d+(?:[.,'’]\d+| \d{3}(?!\d))*)/gu
const PERCENT = new RegExp(`%|${anyOf(({ percent }) => percent)}`, 'giu')
/** The code points of zero in other scripts. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]
const SHARES_PERCENT = new RegExp(`^ ?(?:${RANGE}) ?\\d[\\d.,]* ?%`)

/** The numbers of a claim that must be supported. */
export function claimedNumbers(text: string, language: string | null): Figure[] {
  const normal = normalize(text)
  const isChecked = ({ readings: [value] }: Figure) => Number(value) > MAX_UNCHECKED_COUNT
  return [...figuresIn(normal, language), ...spelledNumbers(normal, language).filter(isChecked)]
}

/** All numbers that a text supports. A percentage supports both `25` and `25%`. */
export function numbersIn(text: string, language: string | null): string[] {
  const normal = normalize(text)
  const figures = [...figuresIn(normal, language, 'also unscaled'), ...spelledNumbers(normal, language)]
  return figures.flatMap(({ readings, parts, isPercent, sharesPercent }) => [
    ...readings,
    ...parts,
    ...(isPercent || sharesPercent ? readings.map((value) => `${value}%`) : []),
  ])
}

export const canSpell = (language: string | null): boolean => numberWordsOf(language) !== undefined

/** White space becomes a space, digits become ASCII, words for percent become `%`. */
const normalize = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0
      const zero = ZEROS.findLast((one) => one <= code) ?? 0
      return code > 127 && zero > 0 && code - zero < 10 ? String(code - zero) : digit
    })
    .replace(/\s+/gu, ' ')
    .replace(PERCENT, '%')

/** The numbers in digits in a normalised text. */
function figuresIn(text: string, language: string | null, wanted?: 'also unscaled'): Figure[] {
  return Array.from(text.matchAll(DIGITS), (match) => {
    const token = match[0]
    const after = text.slice(match.index + token.length)
    if (token.includes(':')) return timeOf(token)
    const values = valuesOf(token, language)
    const factor = scaleAt(after, language)
    return {
      readings: [
        ...values.map((value) => String(scaled(value, factor))),
        ...(wanted && factor > 1 ? values.map(String) : []),
      ],
      parts: values.length === 0 || isPair(token) ? groupsOf(token) : [],
      isPercent: /^ ?%/.test(after),
      sharesPercent: SHARES_PERCENT.test(withoutAccents(after.slice(0, 24))),
    }
  })
}

/** A full hour is said without its minutes. */
const timeOf = (token: string): Figure => ({
  readings: [],
  parts: groupsOf(token).filter((group, at) => at === 0 || group !== '0'),
  isPercent: false,
  sharesPercent: false,
})

/** Parses a number by the language's decimal mark; if that is unknown, returns both readings. */
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

/** `10.30`, `3,50` and `5 300` can be two numbers. `3.5` cannot: 3 and 5 alone do not support it. */
const isPair = (token: string): boolean => /^\d+(?:[.,]\d\d| \d+)$/.test(token)

const groupsOf = (token: string): string[] => token.split(/[.,:' ’]/).map((group) => String(Number(group)))

function scaleAt(after: string, language: string | null): number {
  const word = /^[ -]?(\p{L}+)/u.exec(withoutAccents(after.slice(0, 24)))?.[1]
  return numberWordsOf(language)?.scales.get(word ?? '') ?? 1
}
