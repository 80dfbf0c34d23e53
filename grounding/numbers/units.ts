import { languageOf } from '../languages/index.ts'
import { memoized, withoutAccents } from '../languages/language.ts'
import type { Evidence } from '../types.ts'
import { numbersIn } from './numbers.ts'

/** Whether each number of the text with a unit of time, length or money was said, and its unit, too. */
export function areMeasuresKnown(
  text: string,
  evidence: readonly Evidence[],
  language: string | null,
): boolean {
  const units = languageOf(language)?.units
  if (!units) return true
  const pattern = patternFor(units)
  return (
    areAmountsKnown(text, evidence, language, pattern) && areUnitsKnown(text, evidence, language, pattern)
  )
}

/** Small numbers in words need no evidence when they count something, but "ten euros" is not a count. "One hour" can be said as "an hour". */
function areAmountsKnown(
  text: string,
  evidence: readonly Evidence[],
  language: string | null,
  pattern: RegExp,
): boolean {
  const claimed = Array.from(
    withoutAccents(text).matchAll(amountPattern(pattern.source)),
    ([amount, last = '']) =>
      // "Two people waited an hour" has no amount.
      numbersIn(last, language).length === 0 ? [] : numbersIn(amount, language),
  ).filter((readings) => readings.length > 0 && !readings.includes('1'))
  if (claimed.length === 0) return true
  const said = new Set(evidence.flatMap((one) => numbersIn(one.text, one.language)))
  return claimed.every((readings) => readings.some((value) => said.has(value)))
}

/** Evidence without any unit proves nothing. */
function areUnitsKnown(
  text: string,
  evidence: readonly Evidence[],
  language: string | null,
  pattern: RegExp,
): boolean {
  const said = new Set(evidence.flatMap((one) => unitsIn(one.text, pattern)))
  if (said.size === 0) return true
  const measures = withoutAccents(text).match(measurePattern(pattern.source)) ?? []
  return measures
    .filter((measure) => numbersIn(measure, language).length > 0)
    .every((measure) => unitsIn(measure, pattern).every((unit) => said.has(unit)))
}

/** Singular and plural share their first four letters. */
const unitsIn = (text: string, pattern: RegExp): string[] =>
  withoutAccents(text)
    .match(pattern)
    ?.map((unit) => unit.slice(0, 4)) ?? []

const patternFor = memoized((units: string): RegExp => {
  const stems = withoutAccents(units)
    .split(' ')
    .map((unit) => (unit.length > 3 ? unit.slice(0, -1) : unit))
  return new RegExp(`(?<!\\p{L})(?:${stems.join('|')})\\p{L}{0,2}(?!\\p{L})`, 'gu')
})

/** A number of up to four words, and its unit. The group is its last word. */
const amountPattern = memoized(
  (unit: string): RegExp => new RegExp(`(?:[\\p{L}\\d.,]+[ -]){0,3}([\\p{L}\\d.,]+)[ -]${unit}`, 'gu'),
)

/** The last word of a number, and its unit. */
const measurePattern = memoized((unit: string): RegExp => new RegExp(`[\\p{L}\\d.,]+[ -]${unit}`, 'gu'))
