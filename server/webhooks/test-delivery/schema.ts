import { z } from 'zod'
import { id, input } from '../../api/schema.ts'
import { DeliveryError } from '../deliveries/schema.ts'
import { EVENT_TYPES } from '../events/payloads.ts'

export const TestRequest = input({
  event: z.enum(EVENT_TYPES, 'must be a known event type').optional(),
}).nullish()

export const TestResult = z
  .object({
    delivery_id: id,
    success: z.boolean(),
    status_code: z.number().int().nullable(),
    duration_ms: z.number().int(),
    error: DeliveryError.nullable(),
    signed: z.boolean(),
  })
  .meta({ id: 'WebhookTestResult' })
