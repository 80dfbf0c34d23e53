import { z } from 'zod'
import { pageQuery } from '../../api/pagination.ts'
import { id, moment, timestamp } from '../../api/schema.ts'
import { EVENT_TYPES, TEST_TYPE } from '../events/payloads.ts'

const DELIVERY_STATES = ['pending', 'delivering', 'succeeded', 'failed', 'cancelled', 'missed'] as const

export const DeliveryError = z.enum(['refused_address', 'dns', 'connect', 'tls', 'timeout', 'status'])
export type DeliveryError = z.output<typeof DeliveryError>
const nullableInt = z.number().int().nullable()

const fields = {
  id,
  webhook_id: id,
  event_id: id,
  event: z.enum([...EVENT_TYPES, TEST_TYPE]),
  event_at: timestamp,
  kind: z.enum(['event', 'test', 'resend', 'replay']),
  payload_kind: z.enum(['full', 'ids']),
  status: z.enum(DELIVERY_STATES),
  attempts: z.number().int(),
  created_at: timestamp,
  next_attempt_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  last_status: nullableInt,
  last_error: DeliveryError.nullable(),
  replay_id: id.nullable(),
}

export const Delivery = z.object(fields).meta({ id: 'Delivery' })
export type Delivery = z.output<typeof Delivery>

/** For targets in the operator's own network only the status and the coarse error are shown. */
const AttemptRecord = z
  .object({
    number: z.number().int(),
    at: timestamp,
    status: nullableInt,
    error: DeliveryError.nullable(),
    duration_ms: nullableInt,
    timings: z
      .object({
        dns_ms: nullableInt,
        connect_ms: nullableInt,
        tls_ms: nullableInt,
        first_byte_ms: nullableInt,
      })
      .nullable()
      .describe('A phase is null if the connection was reused'),
    address: z.string().nullable().describe('IP address of the receiver'),
    body_hash: z.string().nullable().describe('SHA-256 of the sent body, in hex; null after an erasure'),
    secret_version: nullableInt.describe('Version of the secret that signed the attempt; null if unsigned'),
    request_headers: z
      .record(z.string(), z.string())
      .describe(
        'As sent, including signatures. After an erasure, and for attempts by older versions, without signatures and host',
      ),
    answer_headers: z.record(z.string(), z.string()).nullable(),
    answer_body: z.string().nullable().describe('The first 4 KiB of the response body'),
  })
  .meta({ id: 'Attempt' })

export const DeliveryDetail = z
  .object({
    ...fields,
    request_headers: z
      .record(z.string(), z.string())
      .describe('Headers of the last attempt; before the first attempt, the headers that are already known'),
    payload: z.string().nullable().describe('The exact body; null after an erasure'),
    attempt_log: z.array(AttemptRecord),
  })
  .meta({ id: 'DeliveryDetail' })

/** Deliveries are selected by the time in their ids, which starts in 1970. */
export const since1970 = moment.transform((time) => new Date(Math.max(0, Date.parse(time))).toISOString())

const filterId = z.uuid('must be a UUID')

export const deliveryQuery = pageQuery.extend({
  status: z.enum(DELIVERY_STATES, `must be one of ${DELIVERY_STATES.join(', ')}`).optional(),
  event: z.enum([...EVENT_TYPES, TEST_TYPE], 'must be a known event type').optional(),
  since: since1970.optional().describe('Created at this time or later'),
  until: since1970.optional().describe('Created before this time'),
  event_id: filterId.optional().describe('Deliveries of this event'),
  conversation_id: filterId.optional().describe('Deliveries of the events of this conversation'),
  report_id: filterId.optional().describe('Deliveries of the events of this report'),
})
export const projectDeliveryQuery = deliveryQuery.extend({
  webhook_id: filterId.optional().describe('Deliveries to this webhook'),
})
export type DeliveryQuery = z.output<typeof deliveryQuery>
export type ProjectDeliveryQuery = z.output<typeof projectDeliveryQuery>
