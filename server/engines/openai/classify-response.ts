import { EngineFailure } from '../engine-failure.ts'
import { type ErrorDetails, readError } from './read-error.ts'
import type { HttpResponse } from './request.ts'
import { isOutOfCredit, isWorthRetrying, retryAfter } from './retry.ts'

export interface Accepted {
  ok: true
  /** Lower case, without parameters. */
  contentType: string
  text: string
}

/** The server rejected this request; a different one can succeed. */
export interface Rejected extends ErrorDetails {
  ok: false
  status: number
}

export type Reply = Accepted | Rejected

const REJECTED_STATUSES = new Set([400, 413, 415, 422])
/** Some servers send 400 where others send 401 or 404. */
const CONFIGURATION_ERRORS = new Set(['invalid_api_key', 'model_not_found', 'invalid_model'])

/** Throws failures that a retry does not change, and returns those that are worth a retry. */
export function classifyResponse(
  { status, headers, text }: HttpResponse,
  now: number,
): Reply | EngineFailure {
  if (status >= 200 && status < 300)
    return {
      ok: true,
      contentType: (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '',
      text,
    }
  const { codes, mentions } = readError(text)
  const what = describe(status, codes)
  if (isOutOfCredit(codes)) throw new EngineFailure('misconfigured', what)
  if (isWorthRetrying(status, headers))
    return new EngineFailure('unavailable', what, retryAfter(headers, now))
  if (REJECTED_STATUSES.has(status) && !codes.some((code) => CONFIGURATION_ERRORS.has(code)))
    return { ok: false, status, codes, mentions }
  throw new EngineFailure(status >= 500 || status === 429 ? 'unavailable' : 'misconfigured', what)
}

export const describe = (status: number, codes: readonly string[]): string =>
  `the model server responded with ${status}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}`
