import { EngineFailure } from '../engine-failure.ts'
import { type ErrorWords, readError } from './read-error.ts'
import type { Answer } from './request.ts'
import { askedWait, isOutOfCredit, isWorthRetrying } from './retry.ts'

export interface Accepted {
  ok: true
  /** Lower case, without parameters. */
  contentType: string
  text: string
}

/** The server understood, and does not want this request: another one may do. */
export interface Refused extends ErrorWords {
  ok: false
  status: number
}

export type Reply = Accepted | Refused

const REFUSALS = new Set([400, 413, 415, 422])
/** Some servers say 400 for what others say 401 or 404 for. */
const OPERATORS_MATTER = new Set(['invalid_api_key', 'model_not_found', 'invalid_model'])

/** What an answer means. Throws what is not worth another try; what is comes as the failure that it will be after the last. */
export function judge({ status, headers, text }: Answer, now: number): Reply | EngineFailure {
  if (status >= 200 && status < 300)
    return {
      ok: true,
      contentType: (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
      text,
    }
  const { words, mentions } = readError(text)
  const what = describe(status, words)
  if (isOutOfCredit(words)) throw new EngineFailure('misconfigured', what)
  if (isWorthRetrying(status, headers)) return new EngineFailure('unavailable', what, askedWait(headers, now))
  if (REFUSALS.has(status) && !words.some((word) => OPERATORS_MATTER.has(word)))
    return { ok: false, status, words, mentions }
  throw new EngineFailure(status >= 500 || status === 429 ? 'unavailable' : 'misconfigured', what)
}

export const describe = (status: number, words: readonly string[]): string =>
  `the model server answered ${status}${words.length > 0 ? ` (${words.join(', ')})` : ''}`
