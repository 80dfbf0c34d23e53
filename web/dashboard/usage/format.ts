import { locale } from '../words/language.ts'

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
const STEP = 1024

/** `1.5 GiB`: the units in which the limits are written. */
export function bytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(value) / Math.log(STEP)))
  return `${short(value / STEP ** power)} ${UNITS[power]}`
}

/** `12.5 hr`, `40 min`, in the words of the language. */
export function duration(seconds: number): string {
  if (seconds < 60) return inUnit(seconds, 'second')
  if (seconds < 3_600) return inUnit(Math.round(seconds / 60), 'minute')
  return inUnit(seconds / 3_600, 'hour')
}

const inUnit = (value: number, unit: 'second' | 'minute' | 'hour'): string =>
  value.toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'short', ...digitsOf(value) })

const short = (value: number): string => value.toLocaleString(locale, digitsOf(value))

const digitsOf = (value: number) => ({ maximumFractionDigits: value < 10 ? 1 : 0 })
