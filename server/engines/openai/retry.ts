import type { IncomingHttpHeaders } from 'node:http'

/** The account is empty or at its limit: asking again changes nothing, the operator must act. */
const NO_CREDIT = new Set([
  'insufficient_quota',
  'credit_balance_exhausted',
  'organization_spend_limit_exceeded',
  'project_spend_limit_exceeded',
  'organization_usage_limit_exceeded',
  'billing_hard_limit_reached',
])
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 8_000
const JITTER = 0.25
const DAY_MS = 86_400_000

export const isOutOfCredit = (words: readonly string[]): boolean => words.some((word) => NO_CREDIT.has(word))

/** The server's own word counts most; else its patience (408, 409, 429) or its fault (5xx) are worth another try. */
export function isWorthRetrying(status: number, headers: IncomingHttpHeaders): boolean {
  const advice = first(headers['x-should-retry'])
  if (advice === 'true') return true
  if (advice === 'false') return false
  return [408, 409, 429].includes(status) || status >= 500
}

/** Milliseconds that the server asked for: `retry-after-ms`, else `retry-after` in seconds or as a date; null: nothing. */
export function askedWait(headers: IncomingHttpHeaders, now: number): number | null {
  const ms = positive(first(headers['retry-after-ms']))
  if (ms !== null) return Math.min(ms, DAY_MS)
  const text = first(headers['retry-after'])
  const seconds = positive(text)
  const asked = seconds === null ? httpDate(text ?? '') - now : seconds * 1000
  return asked >= 0 ? Math.min(asked, DAY_MS) : null
}

/** After the first, second, … attempt: doubling, and a little less by chance, so that many do not come at once. */
export function ownWait(number: number, random: () => number): number {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** (number - 1), LONGEST_WAIT_MS)
  return wait * (1 - JITTER * random())
}

const first = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value[0] : value)?.trim()

const positive = (text: string | undefined): number | null =>
  text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : null

/** NaN for what is no date (Date alone reads "-1" as a year). */
const httpDate = (text: string): number => (/^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN)
