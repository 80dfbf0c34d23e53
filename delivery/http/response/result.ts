import type { Route } from '../connect/connect.ts'
import type { PendingRequest } from '../pending-request.ts'
import type { EgressError, EgressResult, EgressTimings } from '../types.ts'
import { excerpt, firstRetryAfter, safeHeaders } from './excerpt.ts'

export interface Outcome {
  error: EgressError | null
  detail: string | null
  /** Null when no connection was tried. */
  route: Route | null
  /** Null when nothing was sent. */
  pending: PendingRequest | null
  beganAt: number
  endedAt: number
  excerptBytes: number
}

export function toResult(outcome: Outcome): EgressResult {
  const { error, detail, route, pending, excerptBytes } = outcome
  const fields = pending?.head?.fields ?? []
  return {
    success: error === null,
    status: pending?.head?.status ?? null,
    error,
    detail,
    retryAfter: firstRetryAfter(fields),
    address: route?.address ?? null,
    opened: route?.opened ?? false,
    timings: timings(outcome),
    headers: safeHeaders(fields),
    body: pending ? excerpt(pending.bodyParts, pending.bodyBytes <= excerptBytes) : '',
  }
}

function timings({ route, pending, beganAt, endedAt }: Outcome): EgressTimings {
  const firstByteAt = pending?.firstByteAt ?? null
  return {
    dnsMs: rounded(route?.dnsMs),
    connectMs: rounded(route?.connectMs),
    tlsMs: rounded(route?.tlsMs),
    firstByteMs: pending && firstByteAt !== null ? rounded(firstByteAt - pending.sentAt) : null,
    totalMs: rounded(endedAt - beganAt) ?? 0,
  }
}

/** Rounds to a tenth of a millisecond. */
const rounded = (ms: number | null | undefined): number | null =>
  ms === null || ms === undefined ? null : Math.round(ms * 10) / 10
