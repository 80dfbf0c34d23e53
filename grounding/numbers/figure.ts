import { anyOf } from '../languages/index.ts'

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
