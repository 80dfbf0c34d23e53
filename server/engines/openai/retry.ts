import type { IncomingHttpHeaders } from 'node:http'

/** The account is empty or at its limit. A retry does not help; the operator must act. */
const NO_CREDIT =
  /^(?:insufficient_quota|credit_balance_exhausted|billing_hard_limit_reached|(?:organization|project)_spend_limit_exceeded|organization_usage_limit_exceeded)$/
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 8_000
const JITTER = 0.25
const DAY_MS = 86_400_000

export const isOutOfCredit = (codes: readonly string[]): boolean => codes.some((code) => NO_CREDIT.test(code))

/** `x-should-retry` decides if the server sends it, else the status: 408, 409, 429 and 5xx. */
export function isWorthRetrying(status: number, headers: IncomingHttpHeaders): boolean {
  const advice = first(headers['x-should-retry'])
  if (advice === 'true') return true
  if (advice === 'false') return false
  return [408, 409, 429].includes(status) || status >= 500
}

/** The wait in milliseconds from `retry-after-ms`, else from `retry-after` in seconds or as a date; null if neither is sent. */
export function retryAfter(headers: IncomingHttpHeaders, now: number): number | null {
  const ms = positive(first(headers['retry-after-ms']))
  if (ms !== null) return Math.min(ms, DAY_MS)
  const text = first(headers['retry-after'])
  const seconds = positive(text)
  const asked = seconds === null ? httpDate(text ?? '') - now : seconds * 1000
  return asked >= 0 ? Math.min(asked, DAY_MS) : null
}

/** Exponential backoff with jitter; `number` is the attempt that failed. */
export function backoff(number: number, random: () => number): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (number - 1), MAX_WAIT_MS)
  return wait * (1 - JITTER * random())
}

const first = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value[0] : value)?.trim()

const positive = (text: string | undefined): number | null =>
  text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : null

/** NaN if it is not a date (`Date.parse` alone reads "-1" as a year). */
const httpDate = (text: string): number => (/^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN)
