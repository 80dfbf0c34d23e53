import type { AttemptDetails } from '../../database/tables.ts'
import { type EgressRequest, type EgressResult, type EgressTimings, FIXED_HEADERS } from '../http/index.ts'
import { PREVIOUS_SIGNATURE, SIGNATURE_HEADERS, type SigningKeys, sign } from '../signing/signature.ts'
import type { AttemptLog } from '../statements/record-attempts.ts'

interface AttemptKey {
  deliveryId: string
  /** From 1. */
  number: number
  /** Milliseconds since 1970, by the database's clock. */
  at: number
}

/** One attempt, kept until its result is recorded. Without the body, which would fill the heap. */
export interface Attempt extends AttemptKey {
  /** The version of the secret that signs it; null if it is unsigned. */
  secretVersion: number | null
  sent: SentHeaders
}

/** The values that can't be derived later: host, user agent, signatures. Without names, because every attempt stores them. */
export type SentHeaders = [host: string, userAgent: string, ...signatures: string[]]

export interface OutgoingRequest {
  url: string
  eventId: string
  eventType: string
  /** JSON as a string: with buffers, which are outside the heap, the garbage collector marked everything three times a second. */
  body: string
  keys: SigningKeys | null
}

/** A new attempt, and its request as the receiver gets it. */
export function newAttempt(key: AttemptKey, outgoing: OutgoingRequest, userAgent: string) {
  const { url, eventId, body, keys } = outgoing
  const signatures = keys ? sign(keys, eventId, Math.floor(key.at / 1000), body) : []
  const sent: SentHeaders = [hostOf(url), userAgent]
  for (let i = 1; i < signatures.length; i += 2) sent.push(signatures[i] as string)
  const attempt: Attempt = { ...key, secretVersion: keys?.version ?? null, sent }
  const request: EgressRequest = {
    url,
    headers: unsignedHeaders(key, outgoing, userAgent).concat(signatures),
    body,
  }
  return { attempt, request }
}

/** Stored URLs are normalized, so the host can be cut out. Parsing the URL costs as much as signing. */
function hostOf(url: string): string {
  const from = url.indexOf('//') + 2
  const end = url.slice(from).search(/[/?#]/)
  return end < 0 ? url.slice(from) : url.slice(from, from + end)
}

/**
 * All headers of a recorded attempt, in the order of sending. `sent` is missing before the first attempt; then they are without
 * host and signatures. `body` is null after an erasure.
 */
export function headersOf(
  key: AttemptKey,
  event: Pick<OutgoingRequest, 'eventId' | 'eventType'>,
  { sent, body, userAgent }: { sent: SentHeaders | undefined; body: Buffer | null; userAgent: string },
): Record<string, string> {
  if (!sent) return toRecord(unsignedHeaders(key, event, userAgent))
  const [host, sentUserAgent, ...signatures] = sent
  const isOverlap = signatures.length > 2
  const names = SIGNATURE_HEADERS.filter((name) => isOverlap || name !== PREVIOUS_SIGNATURE)
  return {
    host,
    ...FIXED_HEADERS,
    ...toRecord(unsignedHeaders(key, event, sentUserAgent)),
    ...Object.fromEntries(signatures.map((value, i) => [names[i], value])),
    ...(body ? { 'content-length': String(body.length) } : {}),
  }
}

/** `headers` alternates between names and values. */
export function toRecord(headers: string[]): Record<string, string> {
  const record: Record<string, string> = {}
  for (let i = 0; i < headers.length; i += 2) record[headers[i] as string] = headers[i + 1] as string
  return record
}

/** All headers except the signatures, alternating between names and values. */
const unsignedHeaders = (
  { deliveryId, number, at }: AttemptKey,
  { eventId, eventType }: Pick<OutgoingRequest, 'eventId' | 'eventType'>,
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

export function logOf(attempt: Attempt, result: EgressResult): AttemptLog {
  const { deliveryId, number, at } = attempt
  const { timings, status, error } = result
  const details = JSON.stringify(detailsOf(attempt, result))
  return { deliveryId, number, at, durationMs: Math.round(timings.totalMs), status, error, details }
}

const detailsOf = ({ secretVersion, sent }: Attempt, result: EgressResult): AttemptDetails => ({
  ...phasesOf(result.timings),
  address: result.address,
  opened: result.opened,
  secret_version: secretVersion,
  sent,
  answer_headers: result.headers,
  answer_body: result.body,
})

/** A reused connection, the common case, has no DNS, connect and TLS phase. */
function phasesOf({ dnsMs, connectMs, tlsMs, firstByteMs }: EgressTimings) {
  const phases: Pick<AttemptDetails, 'dns_ms' | 'connect_ms' | 'tls_ms' | 'first_byte_ms'> = {}
  if (dnsMs !== null) phases.dns_ms = Math.round(dnsMs)
  if (connectMs !== null) phases.connect_ms = Math.round(connectMs)
  if (tlsMs !== null) phases.tls_ms = Math.round(tlsMs)
  if (firstByteMs !== null) phases.first_byte_ms = Math.round(firstByteMs)
  return phases
}
