/** A number in a text. */
export interface Figure {
  /** Its value, as `1500000` or `2.5`; several where `1.000` could be a thousand or one. */
  readings: string[]
  /** Of a time, a date or a price the numbers in it, which others write apart; else none. */
  parts: string[]
  isPercent: boolean
  /** As the 20 in "20 to 25%": whoever says so says 20% too, and whoever writes so need not mean it. */
  sharesPercent: boolean
}

/** Between the ends of a range, without accents, in the languages that the prompts have. */
export const RANGE = '[-–—]|to|and|or|bis|und|oder|tot|en|of|a|et|ou|y|o|e'

/** Without case and accents. */
export const bareWord = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')

/** Without the traces of binary fractions: 4.1 million is 4100000, not 4099999.9999999995. */
export const scaled = (value: number, factor: number): number => Number((value * factor).toPrecision(15))
