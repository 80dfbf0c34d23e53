import type { Route } from '../connect/connect.ts'
import type { Exchange } from '../pending-request.ts'
import { excerpt, firstRetryAfter, safeHeaders } from './excerpt.ts'
import type { EgressError, EgressResult, EgressTimings } from '../types.ts'

export interface Outcome {
  error: EgressError | null
  detail: string | null
  /** Null where nothing was dialled. */
  route: Route | null
  /** Null where nothing was sent. */
  exchange: Exchange | null
  beganAt: number
  endedAt: number
  excerptBytes: number
}

export function toResult(outcome: Outcome): EgressResult {
  const { error, detail, route, exchange, excerptBytes } = outcome
  const fields = exchange?.head?.fields ?? []
  return {
    success: error === null,
    status: exchange?.head?.status ?? null,
    error,
    detail,
    retryAfter: firstRetryAfter(fields),
    address: route?.address ?? null,
    opened: route?.opened ?? false,
    timings: timings(outcome),
    headers: safeHeaders(fields),
    body: exchange ? excerpt(exchange.parts, exchange.bytes <= excerptBytes) : '',
  }
}

function timings({ route, exchange, beganAt, endedAt }: Outcome): EgressTimings {
  const answeredAt = exchange?.answeredAt ?? null
  return {
    dnsMs: rounded(route?.dnsMs),
    connectMs: rounded(route?.connectMs),
    tlsMs: rounded(route?.tlsMs),
    firstByteMs: exchange && answeredAt !== null ? rounded(answeredAt - exchange.sentAt) : null,
    totalMs: rounded(endedAt - beganAt) ?? 0,
  }
}

/** To a tenth of a millisecond. */
const rounded = (ms: number | null | undefined): number | null =>
  ms === null || ms === undefined ? null : Math.round(ms * 10) / 10
