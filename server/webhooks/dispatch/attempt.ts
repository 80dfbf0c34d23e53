import type { AttemptDetails } from '../../kernel/tables.ts'
import type { EgressRequest, EgressResult, EgressTimings } from '../egress/index.ts'
import { type SigningKeys, sign } from '../signature.ts'

/** One attempt, as it is kept until its result is recorded: without what it sends, which would fill the heap. */
export interface Attempt {
  deliveryId: string
  /** From 1. */
  number: number
  /** Milliseconds since 1970, by the database's clock. */
  at: number
  /** Of the secret that signs it; null: it is not signed. */
  secretVersion: number | null
}

/** What an attempt sends, and where to. */
export interface Shipment {
  url: string
  eventId: string
  eventType: string
  /** JSON. As text, since a buffer for each lies outside of the heap, and made the collector mark everything thrice a second. */
  body: string
  keys: SigningKeys | null
}

/** The request of an attempt: what the receiver gets, byte for byte. */
export function requestOf(attempt: Attempt, shipment: Shipment, userAgent: string): EgressRequest {
  const { url, eventId, body, keys } = shipment
  const headers = plainHeaders(attempt, shipment, userAgent)
  const timestamp = Math.floor(attempt.at / 1000)
  if (keys) headers.push(...sign(keys, eventId, timestamp, body))
  return { url, headers, body }
}

/** Headers as they are shown. */
export function toRecord(headers: string[]): Record<string, string> {
  const record: Record<string, string> = {}
  for (let i = 0; i < headers.length; i += 2) record[headers[i] as string] = headers[i + 1] as string
  return record
}

/** All headers but the signatures: names and values in turn. */
export const plainHeaders = (
  { deliveryId, number, at }: Pick<Attempt, 'deliveryId' | 'number' | 'at'>,
  { eventId, eventType }: Pick<Shipment, 'eventId' | 'eventType'>,
  userAgent: string,
): string[] => [
  'content-type',
  'application/json',
  'user-agent',
  userAgent,
  'x-service-event',
  eventType,
  'x-service-delivery',
  deliveryId,
  'x-service-attempt',
  String(number),
  'webhook-id',
  eventId,
  'webhook-timestamp',
  String(Math.floor(at / 1000)),
]

/** What the log keeps of an attempt. */
export interface AttemptLog {
  deliveryId: string
  number: number
  /** Milliseconds since 1970, by the database's clock. */
  at: number
  durationMs: number
  status: number | null
  error: string | null
  /** JSON of `AttemptDetails`. */
  details: string
}

export function logOf(attempt: Attempt, result: EgressResult): AttemptLog {
  const { deliveryId, number, at } = attempt
  const { timings, status, error } = result
  const details = JSON.stringify(detailsOf(attempt, result))
  return { deliveryId, number, at, durationMs: Math.round(timings.totalMs), status, error, details }
}

const detailsOf = ({ secretVersion }: Attempt, result: EgressResult): AttemptDetails => ({
  ...phasesOf(result.timings),
  address: result.address,
  opened: result.opened,
  secret_version: secretVersion,
  answer_headers: result.headers,
  answer_body: result.body,
})

/** On a reused connection, which is the common case, most of them did not happen. */
function phasesOf({ dnsMs, connectMs, tlsMs, firstByteMs }: EgressTimings) {
  const phases: Pick<AttemptDetails, 'dns_ms' | 'connect_ms' | 'tls_ms' | 'first_byte_ms'> = {}
  if (dnsMs !== null) phases.dns_ms = Math.round(dnsMs)
  if (connectMs !== null) phases.connect_ms = Math.round(connectMs)
  if (tlsMs !== null) phases.tls_ms = Math.round(tlsMs)
  if (firstByteMs !== null) phases.first_byte_ms = Math.round(firstByteMs)
  return phases
}
