import { z } from 'zod'
import { id } from '../../api/schema.ts'
import { since1970 } from '../deliveries/schema.ts'
import { eventTypes } from '../manage/schema.ts'

export const NewReplay = z
  .strictObject({
    since: since1970.describe('Events that happened at this time or later'),
    until: since1970.optional().describe('Events that happened before this time; default: now'),
    events: eventTypes
      .optional()
      .describe('Event types that the webhook subscribes to; default: all of them'),
    only: z
      .enum(['failed', 'missed', 'all'])
      .optional()
      .describe(
        'Default: failed and missed deliveries. `all` sends every event, including events from before the webhook was created',
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
export type Replay = z.output<typeof Replay>
