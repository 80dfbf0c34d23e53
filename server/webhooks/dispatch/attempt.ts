import type { AttemptDetails } from '../../kernel/tables.ts'
import type { EgressRequest, EgressResult, EgressTimings } from '../egress/index.ts'
import { type SigningKeys, sign } from '../signature.ts'

/** One delivery about to be attempted. */
export interface Attempt {
  deliveryId: string
  eventId: string
  eventType: string
  /** From 1. */
  number: number
  url: string
  /** JSON. As text, since a buffer for each lies outside of the heap, and made the collector mark everything thrice a second. */
  body: string
  keys: SigningKeys | null
  /** Milliseconds since 1970, by the database's clock. */
  at: number
}

/** The request of an attempt: what the receiver gets, byte for byte. */
export function requestOf(attempt: Attempt, userAgent: string): EgressRequest {
  const { eventId, body, keys, url } = attempt
  const headers = plainHeaders(attempt, userAgent)
  const timestamp = Math.floor(attempt.at / 1000)
  return { url, body, headers: keys ? Object.assign(headers, sign(keys, eventId, timestamp, body)) : headers }
}

/** All headers but the signatures. */
export function plainHeaders(
  attempt: Pick<Attempt, 'eventType' | 'deliveryId' | 'number' | 'eventId' | 'at'>,
  userAgent: string,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'x-service-event': attempt.eventType,
    'x-service-delivery': attempt.deliveryId,
    'x-service-attempt': String(attempt.number),
    'webhook-id': attempt.eventId,
    'webhook-timestamp': String(Math.floor(attempt.at / 1000)),
  }
}

/** What the log keeps of an attempt. */
export interface AttemptLog {
  deliveryId: string
  number: number
  /** Milliseconds since 1970, by the database's clock. */
  at: number
  durationMs: number
  status: number | null
  error: string | null
  details: AttemptDetails
}

export function logOf(attempt: Attempt, result: EgressResult): AttemptLog {
  const { deliveryId, number, at, keys } = attempt
  const { timings, status, error, address, opened } = result
  return {
    deliveryId,
    number,
    at,
    durationMs: Math.round(timings.totalMs),
    status,
    error,
    details: {
      ...phasesOf(timings),
      address,
      opened,
      secret_version: keys?.version ?? null,
      answer_headers: result.headers,
      answer_body: result.body,
    },
  }
}

/** On a reused connection, which is the common case, most of them did not happen. */
function phasesOf({ dnsMs, connectMs, tlsMs, firstByteMs }: EgressTimings) {
  const phases: Pick<AttemptDetails, 'dns_ms' | 'connect_ms' | 'tls_ms' | 'first_byte_ms'> = {}
  if (dnsMs !== null) phases.dns_ms = Math.round(dnsMs)
  if (connectMs !== null) phases.connect_ms = Math.round(connectMs)
  if (tlsMs !== null) phases.tls_ms = Math.round(tlsMs)
  if (firstByteMs !== null) phases.first_byte_ms = Math.round(firstByteMs)
  return phases
}
