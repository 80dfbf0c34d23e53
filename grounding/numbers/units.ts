import { languageOf } from '../languages/index.ts'
import { memoized, withoutAccents } from '../languages/language.ts'
import type { Evidence } from '../types.ts'
import { numbersIn } from './numbers.ts'

/** Whether a number of the text has a unit of time, length or money that was said. Evidence without any unit proves nothing. */
export function areUnitsKnown(text: string, evidence: readonly Evidence[], language: string | null): boolean {
  const units = languageOf(language)?.units
  if (!units) return true
  const pattern = patternFor(units)
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

/** A number, perhaps of several words, and its unit. */
const measurePattern = memoized((unit: string): RegExp => new RegExp(`[\\p{L}\\d.,]+[ -]${unit}`, 'gu'))
