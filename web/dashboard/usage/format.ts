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

/** `12.5 hours`, `40 minutes`, in the words of the language; `narrow` for large figures: `12.5h`, `40m`. */
export function duration(seconds: number, unitDisplay: 'long' | 'narrow' = 'long'): string {
  const [value, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3_600
        ? [Math.round(seconds / 60), 'minute']
        : [seconds / 3_600, 'hour']
  return value.toLocaleString(locale, { style: 'unit', unit, unitDisplay, ...digitsOf(value) })
}

const short = (value: number, to: string): string => value.toLocaleString(to, digitsOf(value))

const digitsOf = (value: number) => ({ maximumFractionDigits: value < 10 ? 1 : 0 })
