import { anyOf } from '../languages/index.ts'
import { withoutAccents } from '../languages/language.ts'
import { type NumberWords, numberWordsOf } from './number-words.ts'

/** A number in a text. */
export interface Figure {
  /** Its value, as `1500000` or `2.5`; several if `1.000` can be a thousand or one. */
  readings: string[]
  /** The numbers in a time, a date or a price, which can also be written separately. */
  parts: string[]
  isPercent: boolean
  /** The 20 in "20 to 25%": as evidence it counts as 20% and as 20. */
  sharesPercent: boolean
}

/** Between the ends of a range, without accents. */
export const RANGE = `[-–—]|${anyOf(({ range }) => range)}`

/** Without binary rounding errors: 4.1 million is 4100000, not 4099999.9999999995. */
export const scaled = (value: number, factor: number): number => Number((value * factor).toPrecision(15))

/** A number in words, and the token after it. `value` is null if there is none. */
interface Spelled {
  value: number | null
  /** Other readings: the numbers that it is composed of. */
  parts: number[]
  end: number
}

const MAX_WORDS = 6
/** A comma ends a number, a hyphen does not. */
const TOKEN = /\p{L}+|\d+|[^\s\p{L}\d-]/gu
const IS_RANGE = new RegExp(`^(?:${RANGE})$`)

/** The numbers in words in a normalised text. */
export function spelledNumbers(text: string, language: string | null): Figure[] {
  const words = numberWordsOf(language)
  if (!words) return []
  const tokens = splitThousands(withoutAccents(text), words).match(TOKEN) ?? []
  const figures: Figure[] = []
  for (let at = 0; at < tokens.length; ) {
    const { figure, end } = figureAt(tokens, at, words)
    if (figure) figures.push(figure)
    at = Math.max(end, at + 1)
  }
  return figures
}

/** Splits `zweitausendvierundzwanzig`, but only if the rest is a number: `similari` contains the Italian `mila`, too. */
const splitThousands = (text: string, { thousandInWord, below1000 }: NumberWords): string => {
  const isNumber = (part: string) => part === '' || below1000.has(part)
  return text.replace(thousandInWord, (word, head: string, thousand: string, and = '', tail: string) =>
    isNumber(head) && isNumber(tail) ? ` ${head} ${thousand} ${and} ${tail} ` : word,
  )
}

function figureAt(
  tokens: readonly string[],
  at: number,
  words: NumberWords,
): { figure?: Figure; end: number } {
  // A scale after digits belongs to them.
  if (/^\d/.test(tokens[at] ?? '')) return { end: words.scales.has(tokens[at + 1] ?? '') ? at + 2 : at + 1 }
  const { value, parts, end } = spelledAt(tokens, at, words)
  if (value === null) return { end }
  const figure = {
    readings: [String(value)],
    parts: parts.map(String),
    isPercent: tokens[end] === '%',
    sharesPercent: IS_RANGE.test(tokens[end] ?? '') && isPercentAt(tokens, end + 1, words),
  }
  return { figure, end }
}

function isPercentAt(tokens: readonly string[], at: number, words: NumberWords): boolean {
  const { value, end } = spelledAt(tokens, at, words)
  return value !== null && tokens[end] === '%'
}

/** A time, an ordinal, a year, a decimal or a cardinal. */
function spelledAt(tokens: readonly string[], at: number, words: NumberWords): Spelled {
  const time = timeAt(tokens, at, words)
  if (time) return time
  const cardinal = cardinalAt(tokens, at, words)
  const ordinal = longestAt(tokens, at, words.ordinals)
  // A `twenty second` video can have twenty seconds.
  if (ordinal.end > cardinal.end)
    return { ...ordinal, parts: cardinal.value === null ? [] : [cardinal.value] }
  if (cardinal.value === null) return cardinal
  return (
    yearAt(tokens, cardinal.value, cardinal.end, words) ??
    decimalAt(tokens, cardinal.value, cardinal.end, words) ??
    cardinal
  )
}

/** "Half past nine", or in German "half ten": both support 9 and 30. */
function timeAt(tokens: readonly string[], at: number, { clock, below1000 }: NumberWords): Spelled | null {
  const minutes = longestAt(tokens, at, clock)
  const hour = longestAt(tokens, minutes.end, below1000)
  if (minutes.value === null || hour.value === null || !isHour(hour.value)) return null
  const isBefore = minutes.value < 0
  const value = isBefore ? hour.value - 1 || 12 : hour.value
  return { value, parts: [Math.abs(minutes.value), hour.value], end: hour.end }
}

const isHour = (value: number): boolean => Number.isInteger(value) && isBetween(value, 1, 24)

function yearAt(tokens: readonly string[], century: number, at: number, words: NumberWords): Spelled | null {
  const { value, end } = cardinalAt(tokens, at, words)
  if (value === null || !isBetween(century, 11, 20) || !isBetween(value, 10, 99)) return null
  return { value: 100 * century + value, parts: [century, value], end }
}

const isBetween = (value: number, low: number, high: number): boolean => low <= value && value <= high

/** A decimal number in words, also with a scale. Its parts count as well: "at one point five people left". */
function decimalAt(tokens: readonly string[], whole: number, at: number, words: NumberWords): Spelled | null {
  if (!words.points.has(tokens[at] ?? '')) return null
  const { digits, end } = fractionAt(tokens, at + 1, words)
  if (digits.length === 0) return null
  const factor = words.scales.get(tokens[end] ?? '') ?? 1
  return {
    value: scaled(Number(`${whole}.${digits.join('')}`), factor),
    parts: [whole, ...digits],
    end: factor > 1 ? end + 1 : end,
  }
}

/** Said digit by digit, or as one number. */
function fractionAt(tokens: readonly string[], at: number, { below1000 }: NumberWords) {
  const first = longestAt(tokens, at, below1000)
  if (first.value === null) return { digits: [], end: at }
  const digits = [first.value]
  let { end } = first
  while (first.value < 10) {
    const next = longestAt(tokens, end, below1000)
    if (next.value === null || next.value > 9) break
    digits.push(next.value)
    end = next.end
  }
  return { digits, end }
}

/** Adds up thousands, millions and so on, each with its factor, and the rest. */
function cardinalAt(tokens: readonly string[], start: number, words: NumberWords): Spelled {
  const parts: number[] = []
  let smallest = Number.POSITIVE_INFINITY
  let end = start
  for (;;) {
    // After a thousand, "and" continues it or begins another number: both readings count.
    const isAfterAnd = parts.length > 0 && smallest > 1 && tokens[end] === words.and
    const small = longestAt(tokens, isAfterAnd ? end + 1 : end, words.below1000)
    const scale = words.scales.get(tokens[small.end] ?? '') ?? 1
    if ((small.value === null && scale === 1) || scale >= smallest) break
    // In "two million and a half" the half is half a million.
    const isHalfOfScale = isAfterAnd && small.value === 0.5 && scale === 1
    const before = isAfterAnd && !isHalfOfScale ? 0 : (parts.pop() ?? 0)
    parts.push(before + (small.value ?? 1) * (isHalfOfScale ? smallest : scale))
    end = small.end + (scale > 1 ? 1 : 0)
    smallest = scale
  }
  if (parts.length === 0) return { value: null, parts, end }
  const value = parts.reduce((sum, part) => sum + part)
  return { value, parts: parts.length > 1 ? parts : partsOfHalf(value), end }
}

/** Nine and a half can be the time 9:30. */
const partsOfHalf = (value: number): number[] => (isHour(value - 0.5) ? [value - 0.5, 30] : [])

function longestAt(tokens: readonly string[], at: number, table: ReadonlyMap<string, number>) {
  for (let count = MAX_WORDS; count > 0; count--) {
    const value = table.get(tokens.slice(at, at + count).join(''))
    if (value !== undefined) return { value, end: at + count }
  }
  return { value: null, end: at }
}
