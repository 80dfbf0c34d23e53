import { HEADERS } from '../copyable/markdown.ts'
import { EVENT_SENTENCES, EVENT_TYPES, type EventType, jsonSchemaOf } from './payloads.ts'

/** The `webhooks` part of the OpenAPI document: what receivers get. */
export const describeEvents = (): Record<string, unknown> =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: describeEvent(type) }]))

const describeEvent = (type: EventType) => ({
  operationId: `on.${type}`,
  summary: EVENT_SENTENCES[type],
  tags: ['Events'],
  parameters: Object.entries(HEADERS)
    .filter(([name]) => name !== 'Content-Type')
    .map(([name, description]) => ({ name, in: 'header', description, schema: { type: 'string' } })),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: withoutDialect(type) } },
  },
  responses: {
    '2XX': { description: 'Received. Whatever else is answered, the event is sent again.' },
    '410': { description: 'Nobody wants these any more: the webhook is disabled.' },
  },
})

function withoutDialect(type: EventType): unknown {
  const { $schema: _dialect, ...schema } = jsonSchemaOf(type)
  return schema
}
