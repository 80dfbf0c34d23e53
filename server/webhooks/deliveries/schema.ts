import { z } from 'zod'
import { pageQuery } from '../../api/pagination.ts'
import { id, moment, timestamp } from '../../api/schema.ts'
import { EVENT_TYPES, TEST_TYPE } from '../events/payloads.ts'

const DELIVERY_STATES = ['pending', 'delivering', 'succeeded', 'failed', 'cancelled', 'missed'] as const

const error = z.enum(['refused_address', 'dns', 'connect', 'tls', 'timeout', 'status'])
const milliseconds = z.number().int().nullable()

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
  last_status: z.number().int().nullable(),
  last_error: error.nullable(),
  replay_id: id.nullable(),
}

export const Delivery = z.object(fields).meta({ id: 'Delivery' })
export type Delivery = z.output<typeof Delivery>

/** Of targets in the operator's own network only the status and the coarse error are shown. */
const AttemptRecord = z
  .object({
    number: z.number().int(),
    at: timestamp,
    status: z.number().int().nullable(),
    error: error.nullable(),
    duration_ms: milliseconds,
    timings: z
      .object({
        dns_ms: milliseconds,
        connect_ms: milliseconds,
        tls_ms: milliseconds,
        first_byte_ms: milliseconds,
      })
      .nullable()
      .describe('A phase is null on a reused connection'),
    address: z.string().nullable().describe('The address that was dialled'),
    body_hash: z
      .string()
      .nullable()
      .describe('SHA-256 of the body that was sent, in hex; null after an erasure'),
    secret_version: z.number().int().nullable().describe('Of the secret that signed; null: unsigned'),
    request_headers: z
      .record(z.string(), z.string())
      .describe(
        'As they were sent, signatures included. Without signatures and host after an erasure, and for attempts that an older version made',
      ),
    answer_headers: z.record(z.string(), z.string()).nullable(),
    answer_body: z.string().nullable().describe('The first 4 KiB'),
  })
  .meta({ id: 'Attempt' })

export const DeliveryDetail = z
  .object({
    ...fields,
    request_headers: z
      .record(z.string(), z.string())
      .describe('Of the last attempt; before the first, those that are known'),
    payload: z.string().nullable().describe('The body, byte for byte; null after an erasure'),
    attempt_log: z.array(AttemptRecord),
  })
  .meta({ id: 'DeliveryDetail' })

/** The ids that deliveries are found by begin in 1970. */
const since1970 = moment.transform((time) => new Date(Math.max(0, Date.parse(time))).toISOString())

const filterId = z.uuid('must be a UUID')

export const deliveryQuery = pageQuery.extend({
  status: z.enum(DELIVERY_STATES, `must be one of ${DELIVERY_STATES.join(', ')}`).optional(),
  event: z.enum([...EVENT_TYPES, TEST_TYPE], 'must be a known event type').optional(),
  since: since1970.optional().describe('Created then or later'),
  until: since1970.optional().describe('Created before'),
  event_id: filterId.optional().describe('Of this event'),
  conversation_id: filterId.optional().describe('Of the events of this conversation'),
  report_id: filterId.optional().describe('Of the events of this report'),
})
export const projectDeliveryQuery = deliveryQuery.extend({
  webhook_id: filterId.optional().describe('Of this webhook'),
})
export type DeliveryQuery = z.output<typeof deliveryQuery>
export type ProjectDeliveryQuery = z.output<typeof projectDeliveryQuery>

export const NewReplay = z
  .strictObject({
    since: since1970.describe('Events that happened then or later'),
    until: since1970.optional().describe('Events that happened before; now when left out'),
    events: z
      .array(z.enum(EVENT_TYPES, 'must be a known event type'))
      .min(1, 'must name at least one event')
      .refine((list) => new Set(list).size === list.length, 'must name each event once')
      .optional()
      .describe('Of those that the webhook subscribes to; all of them when left out'),
    only: z
      .enum(['failed', 'missed', 'all'])
      .optional()
      .describe(
        'Failed and missed ones when left out; `all` sends every event, also those older than the webhook',
      ),
  })
  .refine(({ since, until }) => until === undefined || Date.parse(since) < Date.parse(until), {
    path: ['until'],
    message: 'must be after since',
  })
  .meta({
    examples: [
      {
        since: '2026-03-14T00:00:00Z',
        until: '2026-03-15T00:00:00Z',
        events: ['report.generated'],
        only: 'missed',
      },
    ],
  })

export const Replay = z
  .object({
    id,
    state: z.enum(['running', 'done', 'cancelled']),
    total: z.number().int(),
    done: z.number().int(),
    failed: z.number().int(),
  })
  .meta({ id: 'Replay' })
