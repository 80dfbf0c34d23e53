import type { ReactNode } from 'react'
import { locale } from '../words/language.ts'

const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' })
const thisYear = new Intl.DateTimeFormat(locale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const otherYear = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })

const withSeconds = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })

/** In the reader's zone, with the exact time on hover. */
export function Time({ at, hasSeconds = false }: { at: string; hasSeconds?: boolean }): ReactNode {
  const date = new Date(at)
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  return (
    <time dateTime={at} title={exact.format(date)}>
      {(hasSeconds ? withSeconds : isThisYear ? thisYear : otherYear).format(date)}
    </time>
  )
}

/** A sentence with a time in it, which stands where the language wants it. */
export function TimeIn({ text, at }: { text: (time: string) => string; at: string }): ReactNode {
  const [before, after] = text(PLACE).split(PLACE)
  return (
    <>
      {before}
      <Time at={at} />
      {after}
    </>
  )
}

/** A character that no text contains. */
const PLACE = '\u{10ffff}'

/** `1:05`, `1:02:05`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)]
  const two = (value: number): string => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** `5 seconds`, or from two minutes on `3 minutes`, in the words of the language. */
export function lengthInWords(seconds: number): string {
  const isLong = seconds >= 120
  const count = Math.max(1, Math.round(isLong ? seconds / 60 : seconds))
  const unit = isLong ? 'minute' : 'second'
  return count.toLocaleString(locale, { style: 'unit', unit, unitDisplay: 'long' })
}
