import { locale } from '../words/language.ts'

const PREFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti'] as const
const STEP = 1024

/**
 * `1.5 GiB`: by 1024, as the limits of the API are. `Intl` has no such units. French counts in octets.
 */
export function bytes(value: number, to = locale): string {
  const unit = to.startsWith('fr') ? 'o' : 'B'
  let power = 0
  // Rounded first: 1,023.9 KiB would be shown as 1,024 KiB.
  while (Math.round(value / STEP ** power) >= STEP && power < PREFIXES.length - 1) power += 1
  return `${short(value / STEP ** power, to)}\u00a0${PREFIXES[power]}${unit}`
}

/** `12.5 hours`, `40 minutes`, in the words of the language. */
export function duration(seconds: number): string {
  if (seconds < 60) return inUnit(seconds, 'second')
  if (seconds < 3_600) return inUnit(Math.round(seconds / 60), 'minute')
  return inUnit(seconds / 3_600, 'hour')
}

const inUnit = (value: number, unit: 'second' | 'minute' | 'hour'): string =>
  value.toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'long', ...digitsOf(value) })

const short = (value: number, to: string): string => value.toLocaleString(to, digitsOf(value))

const digitsOf = (value: number) => ({ maximumFractionDigits: value < 10 ? 1 : 0 })
