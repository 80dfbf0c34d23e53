import { locale } from '../words/language.ts'

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
const STEP = 1024

/** `1.5 GiB`: the units in which the limits are written. */
export function bytes(value: number): string {
  const power = value < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(value) / Math.log(STEP)))
  return `${short(value / STEP ** power)} ${UNITS[power]}`
}

/** `12.5 h`, `40 min`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${short(seconds)} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  return `${short(seconds / 3_600)} h`
}

const short = (value: number): string =>
  value.toLocaleString(locale, { maximumFractionDigits: value < 10 ? 1 : 0 })
