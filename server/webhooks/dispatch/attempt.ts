import { hash } from 'node:crypto'
import type { EgressRequest, EgressResult } from '../egress/index.ts'
import { type SigningKeys, sign } from '../signature.ts'

/** One delivery about to be attempted. */
export interface Attempt {
  deliveryId: string
  eventId: string
  eventType: string
  /** From 1. */
  number: number
  url: string
  body: Buffer
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

/** What the log keeps of an attempt; its columns, by name. */
export interface AttemptLog {
  delivery_id: string
  number: number
  at_ms: number
  duration_ms: number
  status: number | null
  error: string | null
  dns_ms: number | null
  connect_ms: number | null
  tls_ms: number | null
  first_byte_ms: number | null
  address: string | null
  opened: boolean
  body_hash: string
  secret_version: number | null
  answer_headers: Record<string, string>
  answer_body: string
}

export function logOf(attempt: Attempt, result: EgressResult): AttemptLog {
  const { timings } = result
  return {
    delivery_id: attempt.deliveryId,
    number: attempt.number,
    at_ms: attempt.at,
    duration_ms: Math.round(timings.totalMs),
    status: result.status,
    error: result.error,
    dns_ms: rounded(timings.dnsMs),
    connect_ms: rounded(timings.connectMs),
    tls_ms: rounded(timings.tlsMs),
    first_byte_ms: rounded(timings.firstByteMs),
    address: result.address,
    opened: result.opened,
    body_hash: hash('sha256', attempt.body, 'hex'),
    secret_version: attempt.keys?.version ?? null,
    answer_headers: result.headers,
    answer_body: result.body,
  }
}

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms))
