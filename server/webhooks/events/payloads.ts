import { z } from 'zod'
import { id, timestamp } from '../../api/schema.ts'

/** Event types that webhooks can subscribe to, in the order in which a conversation has them. */
export const EVENT_TYPES = [
  'conversation.started',
  'conversation.transcribed',
  'conversation.summarized',
  'report.generated',
] as const
export type EventType = (typeof EVENT_TYPES)[number]
/** Event types that only the feed and its stream have. */
export const FEED_ONLY_TYPES = ['conversation.failed', 'conversation.erased'] as const
export const FEED_TYPES = [...EVENT_TYPES, ...FEED_ONLY_TYPES] as const
export type FeedType = (typeof FEED_TYPES)[number]
export const TEST_TYPE = 'webhook.test'

/** The kinds of payload: everything, or ids only. */
export const PAYLOADS = ['full', 'ids'] as const

const conversationFields = {
  id,
  revision: z.number().int().min(1).describe('Increases when the events of a conversation are sent again'),
  status: z.enum(['recording', 'transcribing', 'summarizing', 'done', 'failed']),
  source: z.enum(['portal_audio', 'portal_text', 'upload']),
  language: z.string().nullable(),
  participant_name: z.string().nullable(),
  tags: z.array(z.string()),
  started_at: timestamp,
  finished_at: timestamp.nullable(),
  duration_seconds: z
    .number()
    .min(0)
    .nullable()
    .describe(
      'Length of the audio transcribed so far, as the API returns it; null in events of older versions',
    ),
  title: z.string().nullable(),
}

const transcriptFields = {
  transcript: z
    .string()
    .optional()
    .describe(
      'What was said and typed, a line each. A line that is not certain begins with `[unclear]`. Omitted when it is longer than 64 KiB',
    ),
  transcript_truncated: z
    .literal(true)
    .optional()
    .describe('The transcript was omitted because of its length'),
  transcript_url: z.url().optional().describe('URL of the omitted transcript'),
}
const summaryFields = {
  summary: z
    .string()
    .optional()
    .describe('One line for each point, like `summary` of the conversation record'),
  summary_truncated: z.literal(true).optional().describe('The summary was omitted because of its length'),
}

const ConversationSummarized = z.strictObject({
  ...conversationFields,
  ...transcriptFields,
  ...summaryFields,
})
export type ConversationPayload = z.output<typeof ConversationSummarized>
const ConversationFailed = z.strictObject({
  ...conversationFields,
  failure: z.string().describe('The reason, as in the conversation record'),
})
export type FailedConversationPayload = z.output<typeof ConversationFailed>

const Report = z.strictObject({
  id,
  title: z.string().nullable(),
  language: z.string().nullable(),
  status: z.enum(['scheduled', 'generating', 'ready', 'failed']),
  created_at: timestamp,
  conversation_count: z.number().int().min(0),
})
export type ReportPayload = z.output<typeof Report>

const tenantIds = { organisation_id: id, workspace_id: id, project_id: id }

const dataOf = (kind: 'conversation' | 'report', content: z.ZodType): z.ZodRawShape => ({
  ...tenantIds,
  project_name: z.string().optional().describe('Omitted with payload `ids`'),
  [`${kind}_id`]: id,
  [kind]: content.optional().describe('Omitted with payload `ids`'),
  dashboard_url: z.url().describe('Page of the conversation or report in the dashboard'),
})

const DATA: Record<EventType, z.ZodRawShape> = {
  'conversation.started': dataOf('conversation', z.strictObject(conversationFields)),
  'conversation.transcribed': dataOf(
    'conversation',
    z.strictObject({ ...conversationFields, ...transcriptFields }),
  ),
  'conversation.summarized': dataOf('conversation', ConversationSummarized),
  'report.generated': dataOf('report', Report),
}

const envelope = <T extends string, D extends z.ZodType>(type: T, data: D) =>
  z.strictObject({
    id: id.describe('Id of the event, the same for every attempt and resend. Use it to detect repeats'),
    type: z.literal(type),
    timestamp: timestamp.describe('Time of the event'),
    version: z.literal(1),
    data,
  })

const testOf = (type: EventType) => z.strictObject({ test_of: z.literal(type), ...DATA[type] })

/** The bodies of deliveries; OpenAPI and `copyable` publish the same schemas. */
export const EVENT_SCHEMAS = Object.fromEntries<z.ZodType>(
  EVENT_TYPES.map((type) => [type, envelope(type, z.strictObject(DATA[type]))]),
) as Record<EventType, z.ZodType>

/** `conversation.erased` has ids only, and is kept when all other events of its conversation are erased. */
export const FEED_ONLY_SCHEMAS = {
  'conversation.failed': envelope(
    'conversation.failed',
    z.strictObject(dataOf('conversation', ConversationFailed)),
  ),
  'conversation.erased': envelope(
    'conversation.erased',
    z.strictObject({ ...tenantIds, conversation_id: id }),
  ),
} satisfies Record<(typeof FEED_ONLY_TYPES)[number], z.ZodType>

/** An event's JSON Schema. Without zod's pattern of 200 characters where a format says the same. */
export function jsonSchemaOf(type: EventType): Record<string, unknown> {
  return z.toJSONSchema(EVENT_SCHEMAS[type], {
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    },
  })
}

/** A test delivery: sample data in the shape of a real event. */
export const TestEvent = envelope(TEST_TYPE, z.union(EVENT_TYPES.map(testOf)))

export const EVENT_SENTENCES: Record<EventType, string> = {
  'conversation.started': 'A participant started a conversation in the project.',
  'conversation.transcribed': 'A conversation’s audio has been transcribed.',
  'conversation.summarized': 'A conversation’s summary has been generated.',
  'report.generated': 'A report has finished generating.',
}
