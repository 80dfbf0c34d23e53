import { z } from 'zod'
import { isValidSecret } from '../../../delivery/index.ts'
import { id, input, name, text, timestamp } from '../../api/schema.ts'
import { EVENT_TYPES, PAYLOADS } from '../events/payloads.ts'

export const MAX_WEBHOOKS = 20

const Health = z
  .object({
    state: z.enum(['new', 'ok', 'failing', 'disabled']),
    consecutive_failures: z.number().int(),
    last_attempt_at: timestamp.nullable(),
    last_success_at: timestamp.nullable(),
    last_status: z.number().int().nullable(),
    disabled_reason: z.enum(['manual', 'gone', 'failing', 'staff', 'secret_unreadable']).nullable(),
    oldest_pending_at: timestamp.nullable(),
    missed: z.number().int().describe('Deliveries that were missed and not replayed; counted up to 10,000'),
  })
  .meta({ id: 'WebhookHealth' })

const fields = {
  id,
  project_id: id,
  name: z.string().nullable(),
  url: z.string(),
  events: z.array(z.enum(EVENT_TYPES)),
  enabled: z.boolean(),
  payload: z.enum(PAYLOADS),
  has_secret: z.boolean(),
  secret_strength: z.enum(['weak', 'ok']).nullable(),
  created_at: timestamp,
  updated_at: timestamp,
  health: Health,
}

export const Webhook = z.object(fields).meta({ id: 'Webhook' })
export type Webhook = z.output<typeof Webhook>

const secretOnce = z.string().describe('Made by the service, and shown in this answer alone')
export const CreatedWebhook = z
  .object({ ...fields, secret: secretOnce.optional() })
  .meta({ id: 'CreatedWebhook' })

const url = z.string().describe('https:, at most 2,048 characters, no userinfo, no fragment')
const events = z
  .array(z.enum(EVENT_TYPES, 'must be one of the events there are'))
  .min(1, 'must name at least one event')
  .max(EVENT_TYPES.length, 'must name each event once')
  .refine((list) => new Set(list).size === list.length, 'must name each event once')
const Secret = text(1, 256).refine(isValidSecret, 'must be valid base64 after whsec_')
const payload = z.enum(PAYLOADS).describe('`ids` leaves out contents and names')
const label = name(100).nullable()

export const NewWebhook = input({
  url,
  events,
  secret: Secret.optional(),
  generate_secret: z.literal(true).optional().describe('Makes a secret, which the answer shows'),
  name: label.optional(),
  enabled: z.boolean().default(true),
  payload: payload.default('full'),
})
  .refine((body) => body.secret === undefined || body.generate_secret === undefined, {
    path: ['generate_secret'],
    message: 'must not be sent together with secret',
  })
  .meta({
    examples: [
      {
        url: 'https://example.com/hooks',
        events: ['conversation.summarized', 'report.generated'],
        generate_secret: true,
        name: 'City dashboard',
      },
    ],
  })

export const WebhookPatch = input({
  url: url.optional(),
  events: events.optional(),
  secret: Secret.nullable().optional().describe('null: deliveries are sent unsigned'),
  name: label.optional(),
  enabled: z.boolean().optional(),
  payload: payload.optional(),
})

export const TestRequest = input({
  event: z.enum(EVENT_TYPES, 'must be one of the events there are').optional(),
}).nullish()

export const TestResult = z
  .object({
    delivery_id: id,
    success: z.boolean(),
    status_code: z.number().int().nullable(),
    duration_ms: z.number().int(),
    error: z.enum(['refused_address', 'dns', 'connect', 'tls', 'timeout', 'status']).nullable(),
    signed: z.boolean(),
  })
  .meta({ id: 'WebhookTestResult' })

const WEEK_SECONDS = 604_800
export const Rotation = input({
  secret: Secret.optional().describe('Made by the service when left out'),
  overlap_seconds: z.number().int().min(0).max(WEEK_SECONDS).default(86_400),
}).nullish()

export const Rotated = z
  .object({
    secret: secretOnce.optional(),
    previous_valid_until: timestamp.nullable(),
  })
  .meta({ id: 'RotatedSecret' })
